// A small EinStein würfelt nicht! on boardgame.io as it ships: SocketIO, matches made on demand.
//     node server.js                   everything in memory
//     node server.js flatfile FOLDER   in its own durable store
//     node server.js redis URL         in Redis
const { FlatFile, Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const SIDE = 5;
const HOME = [[0, 1, 2, 5, 6, 10], [24, 23, 22, 19, 18, 14]];
const GOAL = [24, 0];

function setup({ random }) {
  const cells = Array(SIDE * SIDE).fill(null);
  for (const seat of [0, 1]) {
    const stones = random.Shuffle([1, 2, 3, 4, 5, 6]);
    HOME[seat].forEach((cell, number) => { cells[cell] = { seat, number: stones[number] }; });
  }
  return { cells, die: 0 };
}

// The stones that the die allows: its own, or the nearest below and above.
function movable(G, seat) {
  const own = [];
  G.cells.forEach((stone, cell) => { if (stone && stone.seat === seat) own.push([stone.number, cell]); });
  const exact = own.filter(([number]) => number === G.die);
  if (exact.length) return exact.map(([, cell]) => cell);
  const below = own.filter(([number]) => number < G.die).sort((a, b) => b[0] - a[0]);
  const above = own.filter(([number]) => number > G.die).sort((a, b) => a[0] - b[0]);
  return [...below.slice(0, 1), ...above.slice(0, 1)].map(([, cell]) => cell);
}

function targets(cell, seat) {
  const step = seat === 0 ? 1 : -1;
  const x = cell % SIDE, y = Math.floor(cell / SIDE);
  return [[step, 0], [0, step], [step, step]]
    .map(([dx, dy]) => [x + dx, y + dy])
    .filter(([a, b]) => a >= 0 && a < SIDE && b >= 0 && b < SIDE)
    .map(([a, b]) => b * SIDE + a);
}

const einstein = {
  name: "einstein",
  setup,
  turn: { minMoves: 1, maxMoves: 1, onBegin: ({ G, random }) => { G.die = random.D6(); } },
  moves: {
    step: ({ G, ctx }, from, to) => {
      const seat = Number(ctx.currentPlayer);
      if (!movable(G, seat).includes(from) || !targets(from, seat).includes(to)) return INVALID_MOVE;
      G.cells[to] = G.cells[from];
      G.cells[from] = null;
    },
  },
  endIf: ({ G }) => {
    for (const seat of [0, 1]) {
      const goal = G.cells[GOAL[seat]];
      if (goal && goal.seat === seat) return { winner: String(seat) };
      if (!G.cells.some((stone) => stone && stone.seat === 1 - seat)) return { winner: String(seat) };
    }
  },
};

const [store, place] = process.argv.slice(2);
const stores = {
  flatfile: () => new FlatFile({ dir: place }),
  redis: () => new (require("./redis_store").RedisStore)(place),
};
const server = Server({ games: [einstein], origins: [], ...(store && { db: stores[store]() }) });
const listen = server.app.listen.bind(server.app);
server.app.listen = (port, ...rest) => listen(port, "127.0.0.1", ...rest);
server.run({ port: 0, lobbyConfig: { uuid: undefined } }, () => {}).then(({ appServer }) => {
  process.stdout.write(`listening ${appServer.address().port}\n`);
});
// Ends with the driver, whatever becomes of it.
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
