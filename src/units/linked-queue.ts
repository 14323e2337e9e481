/**
 * First in, first out; whoever stands in it can leave from anywhere. Each operation takes constant time, whatever has come and
 * gone before.
 */

/** Where a value stands in its queue, until it leaves. */
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

  /** Puts a value at the end. */
  add(value: Value): QueuePlace<Value> {
    const place: QueuePlace<Value> = { value, before: this.#last, after: undefined }
    if (this.#last === undefined) this.#first = place
    else this.#last.after = place
    this.#last = place
    return place
  }

  /** Takes a value out; its place is one of this queue, and is not to be used again. */
  remove({ before, after }: QueuePlace<Value>): void {
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
  }

  /** From the first to the last. None may come or go meanwhile. */
  *[Symbol.iterator](): Generator<Value> {
    for (let place = this.#first; place !== undefined; place = place.after) yield place.value
  }
}
