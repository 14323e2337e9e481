/**
 * A pairing heap: its first value is found and another heap is absorbed in constant time, and a value is
 * removed from any place in logarithmic time, averaged over all calls (Fredman, Sedgewick, Sleator, Tarjan:
 * The pairing heap, 1986).
 */

/** The place of a value in its heap, until it is removed. */
export type HeapPlace<Value> = {
  readonly value: Value
  child: HeapPlace<Value> | undefined
  /** The next child of the same parent. */
  after: HeapPlace<Value> | undefined
  /** The previous child of the same parent; for a first child the parent, and undefined for the root. */
  before: HeapPlace<Value> | undefined
}

export class MeldableHeap<Value> {
  readonly #isBefore: (one: Value, other: Value) => boolean
  #root: HeapPlace<Value> | undefined

  /** `isBefore` must order all values that are ever in one heap, without ties. */
  constructor(isBefore: (one: Value, other: Value) => boolean) {
    this.#isBefore = isBefore
  }

  get isEmpty(): boolean {
    return this.#root === undefined
  }

  get first(): Value | undefined {
    return this.#root?.value
  }

  add(value: Value): HeapPlace<Value> {
    const place: HeapPlace<Value> = { value, child: undefined, after: undefined, before: undefined }
    this.#root = this.#join(this.#root, place)
    return place
  }

  /** Takes all values of another heap, which is empty afterwards; their places stay valid. */
  absorb(other: MeldableHeap<Value>): void {
    this.#root = this.#join(this.#root, other.#root)
    other.#root = undefined
  }

  /** Removes the value at a place of this heap; the place must not be used again. */
  remove(place: HeapPlace<Value>): void {
    const below = this.#joinAll(place.child)
    if (place === this.#root) {
      this.#root = below
      return
    }
    const { before, after } = place
    if (before !== undefined) {
      if (before.child === place) before.child = after
      else before.after = after
    }
    if (after !== undefined) after.before = before
    this.#root = this.#join(this.#root, below)
  }

  /** All values, in no particular order. The heap must not change during the iteration. */
  *[Symbol.iterator](): Generator<Value> {
    const left = this.#root === undefined ? [] : [this.#root]
    for (let place = left.pop(); place !== undefined; place = left.pop()) {
      yield place.value
      if (place.after !== undefined) left.push(place.after)
      if (place.child !== undefined) left.push(place.child)
    }
  }

  /** Joins two trees. */
  #join(
    one: HeapPlace<Value> | undefined,
    other: HeapPlace<Value> | undefined,
  ): HeapPlace<Value> | undefined {
    if (one === undefined || other === undefined) return one ?? other
    const [upper, lower] = this.#isBefore(one.value, other.value) ? [one, other] : [other, one]
    lower.after = upper.child
    if (upper.child !== undefined) upper.child.before = lower
    lower.before = upper
    upper.child = lower
    return upper
  }

  /** Joins a child and its later siblings: in pairs from the left, then the pairs from the right. */
  #joinAll(first: HeapPlace<Value> | undefined): HeapPlace<Value> | undefined {
    const pairs: HeapPlace<Value>[] = []
    for (let one = first; one !== undefined; ) {
      const other: HeapPlace<Value> | undefined = one.after
      const next: HeapPlace<Value> | undefined = other?.after
      alone(one)
      if (other !== undefined) alone(other)
      pairs.push(this.#join(one, other) as HeapPlace<Value>)
      one = next
    }
    let joined = pairs.pop()
    for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) joined = this.#join(joined, pair)
    return joined
  }
}

function alone<Value>(place: HeapPlace<Value>): void {
  place.after = undefined
  place.before = undefined
}
