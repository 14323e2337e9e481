/**
 * Requests of every operation, created from its row, so that none is forgotten: for tests that cover all of
 * them.
 */
import type { ZodType } from 'zod'
import type { AdminOperation } from '../../contract/admin/admin.ts'
import { checkOf } from './requests.ts'

/** Sample values of fields: the first of these that is valid. */
const ANY: readonly unknown[] = [
  ...['mine', '1', 'MINE', 'MINE/EUR', 1, true, ['mine'], 'https://books.example/x'],
  ...[
    '2099-01-01T00:00:00Z',
    '2026-01-31',
    '192.0.2.1',
    'free',
    'freeze',
    'HALT',
    'statements',
    ['read'],
    ['TRADE'],
    [`s-${'a'.repeat(26)} c-${'a'.repeat(26)} ${'0'.repeat(64)} 1`],
    [`s-${'a'.repeat(26)}`],
    [`${'a'.repeat(64)} 192.0.2.1`],
    `c-${'a'.repeat(26)}`,
    '0123456789abcdef',
    '0'.repeat(64),
  ],
]

/** The fields of an operation, each with its form. */
export function fieldsOf(operation: AdminOperation): readonly (readonly [string, ZodType])[] {
  return Object.entries(checkOf(operation).shape as Record<string, ZodType>)
}

/**
 * A request of an operation with every required field: the value of `given` if it has the right form, and any
 * value otherwise. `set` is sent unchanged. Throws if no value fits a field: it must then be added to the
 * list above.
 */
export function requestOf(
  operation: AdminOperation,
  given: Readonly<Record<string, unknown>> = {},
  set: Readonly<Record<string, unknown>> = {},
): object {
  const needed = fieldsOf(operation).flatMap(([name, form]) => {
    if (name in set || form.safeParse(undefined).success) return []
    const value = [given[name], ...ANY].find((one) => one !== undefined && form.safeParse(one).success)
    if (value === undefined) throw new Error(`${operation}: nothing fits ${name}`)
    return [[name, value]]
  })
  return { ...Object.fromEntries(needed), ...set }
}
