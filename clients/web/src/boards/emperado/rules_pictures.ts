/** The picture of the rules page: the map with its continents. */
import { mount } from "svelte";
import type { Pictures } from "../rules_pictures";
import RulesPicture from "./RulesPicture.svelte";
import { CONTINENTS } from "./world";

export const pictures: Pictures = () => [
  {
    at: "EMP-MAP-1",
    draw: ({ target, anchor, language, say }) => {
      const names = Object.fromEntries(CONTINENTS.map(({ id }) => [id, say(`continent.${id}`)]));
      return mount(RulesPicture, { target, anchor, props: { names, language } });
    },
  },
];
