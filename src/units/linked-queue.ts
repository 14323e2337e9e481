/**
 * A first-in, first-out queue whose entries can be removed from any place. Each operation takes constant
 * time.
 */

/** The place of a value in its queue, until it is removed. */
export type QueuePlace<Value> = {
  readonly value: Value
  before: QueuePlace<Value> | undefined
  after: QueuePlace<Value> | undefined
}

export class LinkedQueue<Value> {
  #first: QueuePlace<Value> | undefined
  #last: QueuePlace<Value> | undefined

  get isEmpty(): boolean {
    return this.#first === undefined
  }

  get first(): QueuePlace<Value> | undefined {
    return this.#first
  }

  /** Adds a value at the end. */
  add(value: Value): QueuePlace<Value> {
    const place: QueuePlace<Value> = { value, before: this.#last, after: undefined }
    if (this.#last === undefined) this.#first = place
    else this.#last.after = place
    this.#last = place
    return place
  }

  /** Removes the value at a place of this queue; the place must not be used again. */
  remove({ before, after }: QueuePlace<Value>): void {
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
  }

  /** All values, from the first to the last. The queue must not change during the iteration. */
  *[Symbol.iterator](): Generator<Value> {
    for (let place = this.#first; place !== undefined; place = place.after) yield place.value
  }
}
