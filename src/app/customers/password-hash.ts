/** Hashes of passwords by the runtime's argon2id, off the thread that answers. */
import type { PasswordHash } from '../../customers/ports.ts'

/** The first recommendation of OWASP's cheat sheet for password storage: 19 MiB, two passes, one lane. */
export const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2 }

export function passwordHash(cost: typeof PASSWORD_COST): PasswordHash {
  return {
    hash: (password) => Bun.password.hash(password, { algorithm: 'argon2id', ...cost }),
    verify: (password, hash) => Bun.password.verify(password, hash),
  }
}
