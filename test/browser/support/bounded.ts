/**
 * Bounds every call of Playwright. Calls that wait for something on a page have a timeout of their own;
 * `evaluate`, `cookies`, `close` and many more have none, and would wait for a hanging browser until the
 * test's limit ends them without a message. Here each such call fails with its name, its arguments and the
 * line that made it.
 */

/**
 * Playwright's own longest wait for any one fact on a page. Less than `CALL_MS_MAX`, since its message says
 * more.
 */
export const PAGE_WAIT_MS_MAX = 100_000
/** Longest time of any call. */
export const CALL_MS_MAX = 120_000

/** Unanswered calls that are younger than this did not cause the end of a test. */
const HUNG_MS = 10_000
const ARGUMENT_LENGTH = 80

type Method = (this: object, ...values: unknown[]) => unknown
type Call = { readonly name: string; readonly sinceMs: number }

/** Prototypes whose methods are bounded, once in this process. */
const boundedPrototypes = new WeakSet<object>()
const boundedMethods = new WeakSet<object>()
const underWay = new Set<Call>()

/** Calls that have not been answered for a long time, as texts. */
export function hungCalls(hungMs = HUNG_MS): readonly string[] {
  const now = performance.now()
  return [...underWay]
    .filter(({ sinceMs }) => now - sinceMs >= hungMs)
    .map(({ name, sinceMs }) => `${name} for ${Math.round((now - sinceMs) / 1_000)} s`)
}

/** Whether the calls of this method are bounded. */
export function isBounded(method: object): boolean {
  return boundedMethods.has(method)
}

/**
 * Bounds all public methods of an object of Playwright, of the objects that it holds, and of those that its
 * methods return: with a browser, all of its contexts, pages and what belongs to them.
 */
export function bounded<Owner extends object>(owner: Owner, limitMs = CALL_MS_MAX): Owner {
  const prototypes = prototypesOf(owner).filter((prototype) => !boundedPrototypes.has(prototype))
  if (prototypes.length === 0) return owner
  for (const prototype of prototypes) {
    boundedPrototypes.add(prototype)
    const className = classNameOf(prototype)
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (!isPublic(name) || typeof property.value !== 'function') continue
      const value = boundedMethod(property.value as Method, `${className}.${name}`, limitMs)
      Object.defineProperty(prototype, name, { ...property, value })
    }
  }
  for (const [name, held] of Object.entries(owner)) if (isPublic(name)) learn(held, limitMs)
  return owner
}

function boundedMethod(method: Method, name: string, limitMs: number): Method {
  const wrapped: Method = function (...values) {
    const result = method.apply(this, values)
    if (!(result instanceof Promise)) return learn(result, limitMs)
    return answered(result, `${name}(${values.map(shown).join(', ')})`, limitMs)
  }
  boundedMethods.add(wrapped)
  return wrapped
}

/** The answer of a call, or an error that contains its name. */
async function answered(result: Promise<unknown>, name: string, limitMs: number): Promise<unknown> {
  // Created here, so that its stack has the line of the test.
  const error = new Error(`no answer within ${limitMs} ms: ${name}`)
  const call = { name, sinceMs: performance.now() }
  let timer: Timer | undefined
  underWay.add(call)
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(error), limitMs)
  })
  try {
    return learn(await Promise.race([result, late]), limitMs)
  } finally {
    clearTimeout(timer)
    underWay.delete(call)
  }
}

function learn(found: unknown, limitMs: number): unknown {
  if (Array.isArray(found)) for (const one of found) learn(one, limitMs)
  else if (typeof found === 'object' && found !== null) bounded(found, limitMs)
  return found
}

/** Prototypes from the object's own class to the last one of Playwright. */
function prototypesOf(owner: object): readonly object[] {
  const found: object[] = []
  for (let one = prototypeOf(owner); one !== null && isOfPlaywright(one); one = prototypeOf(one))
    found.push(one)
  return found
}

const prototypeOf = (owner: object) => Object.getPrototypeOf(owner) as object | null

/** Answers of pages are plain objects, or of classes of the platform such as `Map` and `Buffer`. */
function isOfPlaywright(prototype: object): boolean {
  const { name } = prototype.constructor
  const isOfPlatform = (globalThis as unknown as Record<string, unknown>)[name] === prototype.constructor
  return !isOfPlatform && !name.startsWith('EventEmitter')
}

const isPublic = (name: string) => name !== 'constructor' && !name.startsWith('_')

/** Playwright's bundle adds characters to the names of its classes. */
const classNameOf = (prototype: object) => prototype.constructor.name.replace(/^_|\d+$/g, '')

function shown(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null ? `a ${classNameOf(value)}` : `${value}`.replace(/\s+/g, ' ')
  return text.length > ARGUMENT_LENGTH ? `${text.slice(0, ARGUMENT_LENGTH)} …` : text
}
