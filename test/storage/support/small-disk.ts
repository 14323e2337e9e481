/**
 * A file system of its own, in memory, of a size that a test can fill. Mounting needs Linux, and root or sudo
 * without a password.
 */
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const SIZE_BYTES = 4 * 1024 * 1024
/** Size of a file that the node does not use, which is removed to free space. */
const BALLAST_BYTES = 1024 * 1024

export class SmallDisk {
  readonly #mountPoint = mkdtempSync(path.join(tmpdir(), 'bourse-disk-'))
  readonly data = path.join(this.#mountPoint, 'data')
  readonly #ballast = path.join(this.#mountPoint, 'ballast')

  constructor(sizeBytes = SIZE_BYTES) {
    const options = `size=${sizeBytes},mode=0700,uid=${process.getuid?.()}`
    try {
      asRoot('mount', '-t', 'tmpfs', '-o', options, 'bourse-test', this.#mountPoint)
    } catch (error) {
      rmSync(this.#mountPoint, { recursive: true })
      throw error
    }
    writeFileSync(this.#ballast, Buffer.alloc(BALLAST_BYTES))
  }

  makeRoom(): void {
    rmSync(this.#ballast, { force: true })
  }

  /** Leaves exactly this number of free blocks. */
  fill(freeBlocks: number): void {
    rmSync(this.#ballast, { force: true })
    const { bfree, bsize } = statfsSync(this.#mountPoint)
    writeFileSync(this.#ballast, Buffer.alloc((bfree - freeBlocks) * bsize))
  }

  makeReadOnly(): void {
    asRoot('mount', '-o', 'remount,ro', this.#mountPoint)
  }

  remove(): void {
    asRoot('umount', this.#mountPoint)
    rmSync(this.#mountPoint, { recursive: true })
  }
}

function asRoot(...command: string[]): void {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const { success, stderr } = Bun.spawnSync([...sudo, ...command])
  if (!success) throw new Error(`${command.join(' ')}: ${stderr}`)
}
