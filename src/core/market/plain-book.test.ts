import { bookContract } from './book.contract.ts'
import { PlainBook } from './plain-book.ts'

bookContract('PlainBook', () => new PlainBook())
