/**
 * Metrics of backups that `bourse backup` made of a node's directory, as that command recorded them there.
 */
import type { AdminBackups } from '../../contract/admin/records.ts'
import type { Metrics } from './metric-kinds.ts'

export function addBackups({ gauge }: Metrics, use: () => AdminBackups, now: () => number): void {
  gauge('bourse_backup_age_seconds', 'Time since the newest verified backup was made', () => {
    const { newest } = use()
    return newest === null ? [] : [{ value: (now() - Date.parse(newest.createdAt)) / 1_000 }]
  })
  gauge('bourse_backups_known', '1 if a verified backup of the directory is known, else 0', () => [
    { value: Number(use().newest !== null) },
  ])
  gauge('bourse_backup_bytes', 'Size of the newest verified backup', () => {
    const { newest } = use()
    return newest === null ? [] : [{ value: newest.bytes }]
  })
  gauge('bourse_backup_failed', '1 if the last backup failed, else 0', () => {
    const { newest, failed } = use()
    return newest === null && failed === null ? [] : [{ value: Number(failed !== null) }]
  })
}
