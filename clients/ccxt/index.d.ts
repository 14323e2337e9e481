/** A class of the ccxt that the program uses. */
type Class = abstract new (...args: never[]) => unknown

/**
 * The exchange's class on ccxt's base class, with ccxt's classes of errors (`ccxt` itself, or its `errors`). It has the
 * type of the base class: the unified methods are ccxt's own.
 */
export function createBourse<Base extends Class>(Exchange: Base, errors: object): Base

/**
 * Adds `ccxt.bourse` and `ccxt.pro.bourse`, adds the exchange's name to `ccxt.exchanges`, and returns the
 * class.
 */
export function registerBourse<Base extends Class>(ccxt: {
  readonly Exchange: Base
  readonly pro: object
  readonly exchanges: string[]
}): Base

export default createBourse
