/** Fails unless rounding.ts is correct. */
import { larger, roundedHalfUp } from './rounding.ts'

const found = [roundedHalfUp(5n, 2n), roundedHalfUp(4n, 3n), larger(2n, 1n), larger(1n, 2n), larger(1n, 1n)]
if (found.join() !== '3,1,2,2,1') throw new Error(`expected 3,1,2,2,1, found ${found}`)
