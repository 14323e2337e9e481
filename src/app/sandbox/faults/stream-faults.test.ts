import { expect, test } from 'bun:test'
import { FaultTable } from './fault-table.ts'
import type { SeenRequest } from './observer.ts'
import { StreamFaults, TO_CLIENT } from './stream-faults.ts'

test('a connection that is cut at a message to the client counts as hit by the fault', () => {
  const table = new FaultTable({ monotonicMs: () => 0, spared: new Set(), onEnded: () => {} })
  const seen: SeenRequest[] = []
  const faults = new StreamFaults({
    table,
    accountOf: () => undefined,
    monotonicMs: () => 7,
    sleep: () => Promise.resolve(),
    observe: (request) => seen.push(request),
  })
  const sent: unknown[] = []
  const socket = { send: (data: unknown) => sent.push(data), terminate: () => {} }
  const handlers = faults.wrap({ message: () => {} })
  handlers.open?.(socket as never)

  socket.send('["book",{}]')
  table.add({ kind: 'DISCONNECT', times: 1 })
  socket.send('["book",{}]')

  expect(sent).toHaveLength(1)
  expect(seen.map(({ atMs, endpoint, fault }) => [atMs, endpoint, fault])).toEqual([
    [7, TO_CLIENT, 'DISCONNECT'],
  ])
})
