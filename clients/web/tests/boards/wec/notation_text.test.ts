/** Actions of the notation in words. */
import { expect, test } from "vitest";
import { inWords } from "../../../src/boards/wec/notation_text";

const say = (key: string, args: Readonly<Record<string, string>> = {}) =>
  [key.replace("board.wec.", ""), ...Object.entries(args).map(([name, value]) => `${name}=${value}`)].join(" ");

test.each([
  ["MV:Q(1,6)->(4,6)", "narration.moved kind=kind.queen from=1, 6 to=4, 6"],
  ["MV:JE^(1,4)2RLSL->^(3,4)", "narration.moved kind=kind.jet from=1, 4 (level.air) to=3, 4 (level.air)"],
  ["MV:TA(2,4)1FL>->(5,4)", "narration.moved kind=kind.panzer from=2, 4 to=5, 4"],
  ["MV:RP(2,1)#2->(3,1)", "narration.moved kind=kind.rocket_pawn from=2, 1 to=3, 1"],
  [
    "MV:CH^(2,2)->^(4,4)-TRA->K^(2,2)^(4,4)",
    "narration.carried kind=kind.chopper from=2, 2 (level.air) to=4, 4 (level.air)",
  ],
  ["MV:DO(3,3)->(4,3),DO>(4,3)FP(3,2)", "narration.dozed kind=kind.dozer from=3, 3 to=4, 3"],
  ["FI1:RL/RP(2,1)->(3,1)", "narration.fired kind=kind.rocket_pawn from=2, 1 article=article.rocket to=3, 1"],
  [
    "FI2:SL/AAA(2,3)1SL=>JE^(5,5)",
    "narration.homed kind=kind.aaa from=2, 3 article=article.sam aim=narration.piece kind=kind.jet square=5, 5 (level.air)",
  ],
  [
    "FI1:SL/AAA(2,3)=>?",
    "narration.homed kind=kind.aaa from=2, 3 article=article.sam aim=narration.piece kind=kind.unknown square=?, ?",
  ],
  ["FI1:BI/K(1,5)->(4,5)<", "narration.travelled kind=kind.king from=1, 5 article=article.bike to=4, 5"],
  ["FI1:JP/K(1,5)->(?,?)", "narration.left kind=kind.king from=1, 5 article=article.jump_pack"],
  ["PU:TA(5,4)^FL", "narration.picked kind=kind.panzer from=5, 4 article=article.flame"],
  ["DR:TA(5,4)1FL>vFL", "narration.dropped kind=kind.panzer from=5, 4 article=article.flame"],
  [
    "EX:Q(1,6)1SH->SH->K(1,5)",
    "narration.given kind=kind.queen from=1, 6 article=article.stealth aim=narration.piece kind=kind.king square=1, 5",
  ],
  [
    "EX:Q(1,6)->SH<=>ASH<-K(1,5)",
    "narration.swapped kind=kind.queen from=1, 6 article=article.stealth aim=narration.piece kind=kind.king square=1, 5 back=article.counter_stealth",
  ],
  ["RE:(1,5)TA>", "narration.reinforced to=1, 5 kind=kind.panzer"],
  ["END", "narration.ended"],
  ["?", "narration.unseen"],
  ["nothing of the kind", ""],
])("%s", (notation, words) => {
  expect(inWords(notation, say)).toBe(words);
});
