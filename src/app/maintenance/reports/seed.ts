/**
 * The operator's secret from which the salts of a proof of liabilities are derived. Whoever has it can make the same trees again from the
 * same journal; whoever has not cannot find out by trying whose a leaf is, or what is in it.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { LeafOwner, SaltOf } from '../../../engine/reports/asset-tree.ts'
import { writeWhole } from '../../../storage/files/directory.ts'
import { requirePrivate } from '../../node/private-file.ts'
import { CannotRunError } from '../audit/host.ts'

const SEED_BYTES = 32
const SEED = /^[0-9a-f]{64}\n?$/

/** The seed in `file`; where there is none, a new one that is put there, for its owner alone. Throws `CannotRunError`, `JournalFault`. */
export function seedIn(file: string): { readonly seed: Uint8Array; readonly isNew: boolean } {
  const text = readPrivate(file)
  if (text === undefined) {
    const seed = randomBytes(SEED_BYTES)
    writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(`${seed.toString('hex')}\n`)])
    return { seed, isNew: true }
  }
  if (!SEED.test(text)) throw new CannotRunError(`--seed ${file} must hold 64 hexadecimal digits and no more`)
  return { seed: new Uint8Array(Buffer.from(text.trim(), 'hex')), isNew: false }
}

/** For what may not make one: each machine of a cluster would have another. */
export function requireSeed(file: string): void {
  if (readPrivate(file) !== undefined) return
  throw new CannotRunError(
    `--seed ${file} is not there: put the seed of your proofs there, which liabilities prove makes`,
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
 * Salts of one moment: HMAC-SHA256 of the seed over what the leaf is. Those of another moment or asset have nothing in common with them, so
 * leaves of the same account cannot be matched.
 */
export function saltsOf(seed: Uint8Array, journal: string, command: number): SaltOf {
  return (asset, owner) => {
    const text = ['bourse liabilities salt 1', journal, command, asset, ...partsOf(owner)].join('\n')
    return new Uint8Array(createHmac('sha256', seed).update(text).digest())
  }
}

/** A name comes last, and after a word of its own: no two owners have the same text. */
function partsOf(owner: LeafOwner): readonly (string | number)[] {
  return owner.kind === 'ACCOUNT' ? ['account', owner.name] : ['nobody', owner.number]
}
