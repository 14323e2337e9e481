/**
 * Records of append-only lists from commands after a given one, found by binary search, since numbers and
 * commands rise together.
 */
import type { Seq } from '../../../units/quantities.ts'
import type { StoredBlock, StoredLists } from './lists/stored.ts'

/**
 * Records of commands after `seq`, oldest first. Unreadable blocks are skipped and reported to `onDamage`.
 */
export function* recordsAfter<Value>(
  lists: StoredLists<Value>,
  seq: Seq,
  onDamage: (sentence: string) => void,
): Generator<Value, void> {
  for (let block = firstBlock(lists, seq); block !== undefined; block = lists.blockAfter(block.first)) {
    if ('damage' in block.records) onDamage(`${lists.kind.word} ${block.first}: ${block.records.damage}`)
    else for (const { record } of block.records.value) if (lists.kind.headOf(record).seq > seq) yield record
  }
}

/** A block before which no record belongs to a command after `seq`. */
function firstBlock<Value>(lists: StoredLists<Value>, seq: Seq): StoredBlock<Value> | undefined {
  let low = 0
  let high: number = Number.MAX_SAFE_INTEGER
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2)
    const block = lists.blockAfter(middle)
    const head = block && 'value' in block.records ? block.records.value[0] : undefined
    // An unreadable block shows nothing, so the walk begins before it.
    if (block !== undefined && head !== undefined && lists.kind.headOf(head.record).seq <= seq)
      low = block.first
    else high = middle
  }
  return lists.blockAfter(Math.max(0, low - 1))
}
