/**
 * Nominal types for numbers. A price, a quantity and a time are all integers; a brand keeps the compiler
 * from letting one stand for another. Brands exist only in types and cost nothing at run time.
 */

declare const brand: unique symbol

/** `Base` that cannot be mixed with any other `Base` of another name. */
export type Branded<Base, Name extends string> = Base & { readonly [brand]: Name }
