/** What a node shows of its backups as metrics: those that `bourse backup` has made of its directory, as that command noted them there. */
import type { AdminBackups } from '../../wire/admin-records.ts'
import type { Metrics } from './metric-kinds.ts'

export function addBackups({ gauge }: Metrics, use: () => AdminBackups, now: () => number): void {
  gauge('bourse_backup_age_seconds', 'Time since the newest verified backup was made', () => {
    const { newest } = use()
    return newest === null ? [] : [{ value: (now() - Date.parse(newest.createdAt)) / 1_000 }]
  })
  gauge('bourse_backups_known', '1 when a verified backup of the directory is known, 0 when none is', () => [
    { value: Number(use().newest !== null) },
  ])
  gauge('bourse_backup_bytes', 'Size of the newest verified backup', () => {
    const { newest } = use()
    return newest === null ? [] : [{ value: newest.bytes }]
  })
  gauge('bourse_backup_failed', '1 while the last backup that was tried has come to nothing, else 0', () => {
    const { newest, failed } = use()
    return newest === null && failed === null ? [] : [{ value: Number(failed !== null) }]
  })
}
