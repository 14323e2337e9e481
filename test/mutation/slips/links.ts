/** Slips in links between gateways and an engine, and in the gateways behind them. */
import type { Slip } from '../slips.ts'

export const LINKS: readonly Slip[] = [
  {
    wrong: 'a gateway with any secret is let in',
    file: 'src/transport/link/protocol/greeting.ts',
    before: 'if (secret === undefined) {',
    after: 'if (secrets.length === 0) {',
  },
  {
    wrong: 'an engine need not know the secret',
    file: 'src/transport/link/protocol/greeting.ts',
    before: 'const isProved = fieldsBytes >= 0 && timingSafeEqual(frame.subarray(fieldsBytes), expected)',
    after: 'const isProved = fieldsBytes >= 0 && expected.length > 0',
  },
  {
    wrong: 'a batch waits behind the answers of its commands',
    file: 'src/transport/link/serving/link-session.ts',
    before: `    this.#flush()
    this.mark()
    this.#writer.raw(this.#options.events.of(batch))`,
    after: '    setImmediate(() => this.#options.send(writeBlockFrame(this.#options.events.of(batch))))',
  },
  {
    wrong: 'a link gets the batch before once more',
    file: 'src/transport/link/protocol/encoded-events.ts',
    before: 'if (this.#last?.batch === batch) return',
    after: 'if (this.#last !== undefined) return',
  },
  {
    wrong: 'a gateway that asks for the state twice has each batch twice',
    file: 'src/transport/link/serving/link-session.ts',
    before: 'if (this.#leave !== undefined || this.#isClosed) leave()',
    after: 'if (this.#isClosed) leave()',
  },
  {
    wrong: 'what a slow gateway has yet to take is not bounded',
    file: 'src/transport/link/serving/link-end.ts',
    before: 'if (queued <= this.#options.limits.queueBytesMax) {',
    after: 'if (queued >= 0) {',
  },
  {
    wrong: 'a gateway may have any number of requests under way',
    file: 'src/transport/link/serving/link-session.ts',
    before:
      "if (this.#inFlight >= this.#options.inFlightMax) this.#fault(request.request, 'OVERLOADED')\n      else if",
    after: 'if',
  },
  {
    wrong: 'a gateway may send what operators order',
    file: 'src/transport/link/serving/link-session.ts',
    before: 'if (!this.#options.commands.has(kind)) throw',
    after: 'if (this.#options.commands.size === 0) throw',
  },
  {
    wrong: 'a leader that lacks what an end remembers serves it',
    file: 'src/transport/link/serving/link-end.ts',
    before: 'if (problem !== undefined) throw new',
    after: "if (problem === '') throw new",
  },
  {
    wrong: 'an answer comes before the mark of what is confirmed',
    file: 'src/transport/link/serving/link-session.ts',
    before: '    this.mark()\n',
    after: '',
  },
  {
    wrong: 'a replica takes a snapshot whose hash is another one',
    file: 'src/transport/link/asking/snapshot-copy.ts',
    before: 'return sameBytes(sha256([payload]), head.stateHash) ? payload : cut(head)',
    after: 'return payload.length === payloadBytes ? payload : cut(head)',
  },
  {
    wrong: 'one address takes all the room of those that greet',
    file: 'src/transport/link/serving/link-server.ts',
    before: '(this.#greetingsByAddress.get(address) ?? 0) >= greetingsPerAddressMax',
    after: 'greetingsPerAddressMax === 0',
  },
  {
    wrong: 'a gateway goes back to an engine of an epoch that was followed',
    file: 'src/transport/link/asking/leader-link.ts',
    before: 'if (isTaken || epoch < epochMin) {',
    after: 'if (isTaken) {',
  },
  {
    wrong: 'a historian is asked for what it does not show yet',
    file: 'src/app/gateways/history-chooser.ts',
    before: 'filter(({ reached }) => reached() >= atLeast)',
    after: 'filter(({ reached }) => reached() >= 0)',
  },
  {
    wrong: 'rooms go on from a state that their members never had',
    file: 'src/server/stream/room.ts',
    before: '    this.#channel = this.#options.open(this)\n    this.resynchronise()',
    after: '    this.#channel = this.#options.open(this)',
  },
  {
    wrong: 'a gateway answers without saying how old that is',
    file: 'src/server/public/gateway.ts',
    before: 'if (staleMs !== undefined && answer.ok)',
    after: 'if (staleMs === 0 && answer.ok)',
  },
  {
    wrong: 'who reads with one gateway does not wait for what another one has answered',
    file: 'src/transport/link/protocol/barrier.ts',
    before: 'if (this.#isEnded) return Promise.resolve()',
    after: 'if (this !== undefined) return Promise.resolve()',
  },
  {
    wrong: 'who reads while a question is under way waits for that one',
    file: 'src/transport/link/protocol/barrier.ts',
    before: '      this.#next ??= Promise.withResolvers<void>()\n      return this.#next.promise',
    after: '      return this.#asked.promise',
  },
  {
    wrong: 'a day that history knows further than the state counts trades twice',
    file: 'src/views/market-data.ts',
    before: 'if (seq > dayBegan) day.add(event, takerSide)',
    after: 'day.add(event, takerSide)',
  },
  {
    wrong: 'a gateway that cannot start is started again without a pause',
    file: 'src/app/process/kept-processes.ts',
    before: 'const isSteady = now() - startedAt >= STEADY_MS',
    after: 'const isSteady = now() >= startedAt',
  },
  {
    wrong: 'a node of a later epoch need not show its batch',
    file: 'src/engine/standby/journal-relation.ts',
    before: 'if (batch === undefined || batch.position !== position || batch.epoch !== epoch) return false',
    after: 'if (batch === undefined || batch.position !== position) return false',
  },
  {
    wrong: 'an HTTP refusal in place of a link passes for nobody',
    file: 'src/transport/link/asking/link-connection.ts',
    before: "const isRefusal = fault.kind === 'UNREACHABLE' && !isNobody && this.#welcome === undefined",
    after: "const isRefusal = fault.kind === 'UNREACHABLE' && !isNobody && this.#welcome !== undefined",
  },
  {
    wrong: 'a name of a journal may have any length',
    file: 'src/transport/link/protocol/greeting.ts',
    before: '(hello.remembered?.journal?.length ?? 0) > JOURNAL_NAME_LENGTH_MAX',
    after: '(hello.remembered?.journal?.length ?? 0) > 4 * JOURNAL_NAME_LENGTH_MAX',
  },
  {
    wrong: 'a snapshot for which no descriptor is left is tried at every batch',
    file: 'src/engine/follower/snapshot-keeper.ts',
    before: 'if (seq < this.#putOffUntil) return false',
    after: 'if (seq < 0 * this.#putOffUntil) return false',
  },
  {
    wrong: 'a ban of a network is none of its addresses',
    file: 'src/server/public/admission.ts',
    before: 'Math.max(...keysOf(key).map((each) => bans.get(each)?.until ?? 0))',
    after: 'Math.max(...keysOf(key).slice(0, 1).map((each) => bans.get(each)?.until ?? 0))',
  },
  {
    wrong: 'a /56 has as much of long answers under way as it likes',
    file: 'src/server/access/auth/address.ts',
    before: 'return at === 0 ? 1 : (WIDER_TIMES[at - 1] ?? 1)',
    after: 'return at === 0 ? 1 : 1_000 * (WIDER_TIMES[at - 1] ?? 1)',
  },
  {
    wrong: 'each /64 of a /48 has a turn of its own at long readings',
    file: 'src/server/access/limits/reading-turns.ts',
    before: 'const turn = keys.at(-1) ?? address',
    after: 'const turn = address',
  },
]
