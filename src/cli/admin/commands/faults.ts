/** The operator's commands on what goes wrong between a sandbox and its clients. */
import { type AdminFault, FAULT_KINDS } from '../../../wire/admin-faults.ts'
import { table } from '../../table.ts'
import { type AdminCommand, command } from '../command.ts'

const HEAD = ['FAULT', 'KIND', 'TERMS', 'STRUCK', 'UNTIL']

function rowOf({ number, kind, struck, until, ...terms }: AdminFault): string[] {
  const text = Object.entries(terms).map(([name, value]) => `${name} ${value}`)
  return [`${number}`, kind, text.length === 0 ? '-' : text.join(', '), `${struck}`, until ?? '-']
}

export const FAULT_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'fault list',
    operation: 'fault/list',
    summary: 'Show what goes wrong between a sandbox and its clients, and how often it has.',
    examples: ['bourse admin --data data/sandbox fault list'],
    show: (faults) => table(HEAD, faults.map(rowOf), 'Nothing goes wrong on purpose.'),
  }),
  command({
    name: 'fault add',
    operation: 'fault/add',
    summary:
      'Have something go wrong between a sandbox and its clients, until it is cleared, ends, or the sandbox stops.',
    positionals: [
      { field: 'kind', kind: 'text', values: FAULT_KINDS, help: `one of ${FAULT_KINDS.join(', ')}` },
    ],
    options: {
      percent: {
        field: 'percent',
        kind: 'integer',
        help: 'in so many of a hundred cases, 1 to 100; 100 without it',
      },
      seed: { field: 'seed', kind: 'integer', help: 'draws the same cases again; 0 without it' },
      account: {
        field: 'account',
        kind: 'text',
        help: "only this account; without it and --key all but the demo market's",
      },
      key: { field: 'apiKey', kind: 'text', help: 'only requests and logins with this API key' },
      endpoint: {
        field: 'endpoint',
        kind: 'text',
        help: '"POST /api/v3/order", or a message of the stream: order.place',
      },
      symbol: { field: 'symbol', kind: 'text', help: 'HALT: new orders of this symbol; without it of all' },
      'latency-ms': { field: 'latencyMs', kind: 'integer', help: 'LATENCY: added to each, milliseconds' },
      'spread-ms': { field: 'spreadMs', kind: 'integer', help: 'LATENCY: at most so much more, drawn' },
      'retry-after': {
        field: 'retryAfterSeconds',
        kind: 'integer',
        help: 'RATE_LIMIT: seconds, 1 to 3600; 5 without it',
      },
      'ahead-ms': {
        field: 'aheadMs',
        kind: 'integer',
        help: "CLOCK: the server's time is so far ahead, milliseconds",
      },
      'behind-ms': { field: 'behindMs', kind: 'integer', help: 'CLOCK: or so far behind' },
      seconds: { field: 'seconds', kind: 'integer', help: 'it ends after so long, 1 to 86400' },
      times: { field: 'times', kind: 'integer', help: 'it ends when it has struck so often' },
    },
    examples: [
      'bourse admin --data data/sandbox fault add LATENCY --latency-ms 200 --spread-ms 300 --account alice',
      'bourse admin --data data/sandbox fault add LOST_ANSWER --percent 10 --endpoint "POST /api/v3/order" --seconds 600',
    ],
    show: (fault) => table(HEAD, [rowOf(fault)], ''),
  }),
  command({
    name: 'fault clear',
    operation: 'fault/clear',
    summary: 'End a fault of a sandbox, or all of them.',
    options: { number: { field: 'number', kind: 'integer', help: 'only this one; without it all' } },
    examples: ['bourse admin --data data/sandbox fault clear'],
    show: ({ cleared }) => (cleared === 1 ? 'One fault has ended.' : `${cleared} faults have ended.`),
  }),
]
