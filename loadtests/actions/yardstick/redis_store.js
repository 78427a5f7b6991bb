// What a durable store of boardgame.io on Redis amounts to: a hash for each match, and a list for its log, as JSON.
const { createClient } = require("redis");
const { Async } = require("boardgame.io/internal");

class RedisStore extends Async {
  constructor(url) {
    super();
    this.redis = createClient({ url });
  }
  async connect() {
    await this.redis.connect();
  }
  async createMatch(match, { initialState, metadata }) {
    const [state, kept] = [JSON.stringify(initialState), JSON.stringify(metadata)];
    await this.redis.hSet(match, { initialState: state, state, metadata: kept });
  }
  // Commands of one tick leave in one write, so both halves cost one round trip.
  async setState(match, state, steps = []) {
    const log = steps.length && this.redis.rPush(`${match}:log`, steps.map((step) => JSON.stringify(step)));
    await Promise.all([log, this.redis.hSet(match, "state", JSON.stringify(state))]);
  }
  async setMetadata(match, metadata) {
    await this.redis.hSet(match, "metadata", JSON.stringify(metadata));
  }
  async fetch(match, wanted) {
    const names = ["state", "metadata", "initialState"].filter((name) => wanted[name]);
    const log = wanted.log && this.redis.lRange(`${match}:log`, 0, -1);
    const values = names.length ? await this.redis.hmGet(match, names) : [];
    const found = Object.fromEntries(names.map((name, n) => [name, values[n] ? JSON.parse(values[n]) : undefined]));
    return log ? { ...found, log: (await log).map((step) => JSON.parse(step)) } : found;
  }
  async wipe(match) {
    await this.redis.del([match, `${match}:log`]);
  }
  async listMatches() {
    return (await this.redis.keys("*")).filter((key) => !key.endsWith(":log"));
  }
}

module.exports = { RedisStore };
