/**
 * The JSON of a shape's values. No program text is generated for it: the platform's own JSON is about twice
 * as fast as concatenated texts (docs/decisions/0050-rows.md).
 */
import { invariant } from '../invariant.ts'
import type { Shape } from './shape.ts'

type ObjectForm = Extract<Shape['form'], { readonly is: 'object' }>

/** The names of an object's fields in their order, and the fields that contain objects. */
type Order = { readonly names: readonly string[]; readonly nested: readonly (readonly [string, Shape])[] }

const orders = new WeakMap<ObjectForm, Order>()

/**
 * JSON with the fields in the order of the shape, and without others. Callers normally have the fields in
 * that order, so the order is only checked: sorting costs as much again as the JSON.
 */
export function jsonOf<Value>(shape: Shape<Value>, value: NoInfer<Value>): string {
  if (shape.form.is !== 'object') checkHasJson(shape)
  return JSON.stringify(isOrdered(shape, value) ? value : ordered(shape, value))
}

const OF_BYTES_ALONE: readonly string[] = [
  'integer',
  'bigint',
  'bytes',
  'wordSet',
  'own',
  'checked',
  'spread',
]

function checkHasJson({ form }: Shape): void {
  invariant(!OF_BYTES_ALONE.includes(form.is), () => `a shape of form ${form.is} has no JSON`)
}

function orderOf(form: ObjectForm): Order {
  let order = orders.get(form)
  if (order === undefined) {
    Object.values(form.fields).forEach(checkHasJson)
    const nested = Object.entries(form.fields).filter(([, shape]) => holdsObjects(shape))
    order = { names: Object.keys(form.fields), nested }
    orders.set(form, order)
  }
  return order
}

/**
 * Whether the form contains objects to be checked; a value of `either`, a tuple or a table is used as it is.
 */
function holdsObjects({ form }: Shape): boolean {
  return form.is === 'object' || (form.is === 'list' && holdsObjects(form.of))
}

function isOrdered({ form }: Shape, value: unknown): boolean {
  if (value === undefined) return true
  if (form.is === 'list') {
    return !holdsObjects(form.of) || (value as readonly unknown[]).every((each) => isOrdered(form.of, each))
  }
  if (form.is !== 'object') return true
  const { names, nested } = orderOf(form)
  let at = 0
  for (const name of Object.keys(value as object)) {
    while (at < names.length && names[at] !== name) at++
    if (at++ === names.length) return false
  }
  return nested.every(([name, shape]) => isOrdered(shape, (value as Readonly<Record<string, unknown>>)[name]))
}

function ordered({ form }: Shape, value: unknown): unknown {
  if (value === undefined) return undefined
  if (form.is === 'list') return (value as readonly unknown[]).map((each) => ordered(form.of, each))
  if (form.is !== 'object') return value
  const members = Object.entries(form.fields).map(([name, shape]) => [
    name,
    ordered(shape, (value as Readonly<Record<string, unknown>>)[name]),
  ])
  return Object.fromEntries(members)
}
