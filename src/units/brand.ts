/**
 * Nominal types for numbers. A price, a quantity and a time are all integers; with brands the compiler
 * refuses one in place of another. Brands exist only in types and cost nothing at run time.
 */

declare const brand: unique symbol

/** A `Base` that cannot be mixed with a `Base` of another name. */
export type Branded<Base, Name extends string> = Base & { readonly [brand]: Name }
