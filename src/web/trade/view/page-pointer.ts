/** The pointer of the page: rows and buttons of the account move only while it is not pressed. */
import { Pointer } from '../../shared/pointer.ts'

let known: Pointer | undefined

/** Watches the page from the first call on. */
export function pagePointer(): Pointer {
  known ??= new Pointer(window, (then, ms) => setTimeout(then, ms))
  return known
}
