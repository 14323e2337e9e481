/**
 * The operator's secret from which the salts of a proof of liabilities are derived. With it the same trees
 * can be reproduced from the same journal; without it the owner or content of a leaf cannot be guessed.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { LeafOwner, SaltOf } from '../../../engine/reports/asset-tree.ts'
import { writeWhole } from '../../../storage/files/directory.ts'
import { requirePrivate } from '../../node/private-file.ts'
import { CannotRunError } from '../verification/host.ts'

const SEED_BYTES = 32
const SEED = /^[0-9a-f]{64}\n?$/

/**
 * The seed in `file`; if there is none, a new one is stored there, readable only by its owner. Throws
 * `CannotRunError`, `JournalFault`.
 */
export function seedIn(file: string): { readonly seed: Uint8Array; readonly isNew: boolean } {
  const text = readPrivate(file)
  if (text === undefined) {
    const seed = randomBytes(SEED_BYTES)
    writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(`${seed.toString('hex')}\n`)])
    return { seed, isNew: true }
  }
  if (!SEED.test(text)) throw new CannotRunError(`--seed ${file} must have exactly 64 hexadecimal digits`)
  return { seed: new Uint8Array(Buffer.from(text.trim(), 'hex')), isNew: false }
}

/** For processes that must not create a seed: each machine of a cluster would have a different one. */
export function requireSeed(file: string): void {
  if (readPrivate(file) !== undefined) return
  throw new CannotRunError(
    `--seed ${file} does not exist: put the seed of your proofs there; bourse liabilities prove creates one`,
  )
}

function readPrivate(file: string): string | undefined {
  try {
    requirePrivate(file, (problem) => new CannotRunError(`--seed ${problem}`))
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof CannotRunError) throw cause
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new CannotRunError(`--seed ${file} cannot be read: ${message}`, { cause })
  }
}

/**
 * Salts for one point in time: HMAC-SHA256 of the seed over the identity of the leaf. Salts of another point
 * in time or asset have nothing in common with them, so leaves of the same account cannot be matched.
 */
export function saltsOf(seed: Uint8Array, journal: string, command: number): SaltOf {
  return (asset, owner) => {
    const text = ['bourse liabilities salt 1', journal, command, asset, ...partsOf(owner)].join('\n')
    return new Uint8Array(createHmac('sha256', seed).update(text).digest())
  }
}

/** A name comes last, after a prefix of its own: no two owners have the same text. */
function partsOf(owner: LeafOwner): readonly (string | number)[] {
  return owner.kind === 'ACCOUNT' ? ['account', owner.name] : ['nobody', owner.number]
}
