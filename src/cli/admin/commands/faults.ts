/** The operator's commands for artificial faults between a sandbox and its clients. */
import type { AdminFault, FAULT_OPERATIONS } from '../../../contract/admin/operations/faults.ts'
import { table } from '../../table.ts'
import type { Shown } from '../command.ts'

const HEAD = ['FAULT', 'KIND', 'TERMS', 'STRUCK', 'UNTIL']

function rowOf({ number, kind, struck, until, ...terms }: AdminFault): string[] {
  const text = Object.entries(terms).map(([name, value]) => `${name} ${value}`)
  return [`${number}`, kind, text.length === 0 ? '-' : text.join(', '), `${struck}`, until ?? '-']
}

export const FAULT_ANSWERS: Shown<typeof FAULT_OPERATIONS> = {
  'fault/list': (faults) => table(HEAD, faults.map(rowOf), 'No faults are active.'),
  'fault/add': (fault) => table(HEAD, [rowOf(fault)], ''),
  'fault/clear': ({ cleared }) =>
    cleared === 1 ? 'One fault was removed.' : `${cleared} faults were removed.`,
}
