/** Client order ids as an attacker would choose them to slow down the exchange. */
import type { AccountId } from '../../units/ids.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._'
const BLOCK = 4
const LONGEST = 36

/**
 * 512 ids of one account that all have the same FNV-1a hash: pairs of character blocks, found by trial, that
 * lead from one state of the hash to the same next state.
 */
export function collidingIds(account: AccountId): string[] {
  let state = [...accountBytes(account), LONGEST].reduce(step, 0x811c9dc5 | 0)
  let texts = ['']
  for (let length = 0; length < LONGEST; length += BLOCK) {
    const pair = collidingBlocks(state)
    texts = texts.flatMap((text) => pair.map((block) => text + block))
    state = Buffer.from(pair[0]).reduce(step, state)
  }
  return texts
}

function collidingBlocks(state: number): readonly [string, string] {
  const seen = new Map<number, string>()
  for (let number = 0; ; number++) {
    const block = blockAt(number)
    const hash = Buffer.from(block).reduce(step, state)
    const other = seen.get(hash)
    if (other !== undefined && other !== block) return [other, block]
    seen.set(hash, block)
  }
}

function blockAt(number: number): string {
  const drawn = Math.imul(number, 0x9e3779b1)
  return [0, 6, 12, 18].map((bits) => LETTERS[(drawn >>> bits) & 63]).join('')
}

/** The account as the first bytes of an id's key: seven bits a byte, the low ones first. */
function accountBytes(account: AccountId): number[] {
  const bytes: number[] = []
  let rest: number = account
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return [...bytes, rest]
}

function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}
