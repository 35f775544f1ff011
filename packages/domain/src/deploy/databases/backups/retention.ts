import { timeOf } from "../../../Time.ts"
import type { Backup, BackupRun } from "./Backup.ts"

/** The limits for kept backups on the server or in S3: number, days and gigabytes; 0 days or gigabytes is no limit. */
export interface RetentionLimits {
  readonly amount: number
  readonly days: number
  /** The maximum total size in units of 10⁹ bytes; 0 is no limit. */
  readonly gigabytes: number
}

/** Returns the limits for backup files on the server. */
export const localLimits = ({ keeps, keepsDays, keepsGigabytes }: Backup): RetentionLimits => ({
  amount: keeps,
  days: keepsDays,
  gigabytes: keepsGigabytes
})

/** Returns the limits for backup objects in S3. */
export const s3Limits = ({ s3Keeps, s3KeepsDays, s3KeepsGigabytes }: Backup): RetentionLimits => ({
  amount: s3Keeps,
  days: s3KeepsDays,
  gigabytes: s3KeepsGigabytes
})

const millisecondsPerDay = 86_400_000
const bytesPerGigabyte = 1_000_000_000

/**
 * Returns the backups to delete, because they exceed a limit at the time `at`. The list must begin with the newest
 * backup, which is never deleted.
 */
export const expiredBackups = <Run extends Pick<BackupRun, "size" | "startedAt">>(
  newestFirst: ReadonlyArray<Run>,
  { amount, days, gigabytes }: RetentionLimits,
  now: number
): ReadonlyArray<Run> => {
  let bytes = 0
  const oldest = days === 0 ? "" : timeOf(now - days * millisecondsPerDay)
  return newestFirst.filter(({ size, startedAt }, place) => {
    bytes += size ?? 0
    if (place === 0) return false
    return place >= amount || startedAt < oldest || (gigabytes > 0 && bytes > gigabytes * bytesPerGigabyte)
  })
}
