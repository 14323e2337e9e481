import { bookContract } from './book.contract.ts'
import { FastBook } from './fast-book.ts'

bookContract('FastBook', () => new FastBook())
