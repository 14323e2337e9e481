/** Requests of every operation, made of its row, so that none is forgotten: for tests that walk all of them. */
import type { ZodType } from 'zod'
import type { AdminOperation } from '../../wire/admin.ts'
import { checkOf } from './requests.ts'

/** What any field is given: the first of these that it may be. */
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
  ],
]

/** The fields of an operation, each with its form. */
export function fieldsOf(operation: AdminOperation): readonly (readonly [string, ZodType])[] {
  return Object.entries(checkOf(operation).shape as Record<string, ZodType>)
}

/**
 * A request of an operation with every field that it must have: as in `given` where that is of its form, and any value otherwise. `set` is
 * sent as it is. Throws where nothing fits a field: it belongs into the list above.
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
