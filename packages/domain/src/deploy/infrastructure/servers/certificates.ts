import { millisecondsOf } from "../../../Time.ts"

/** The start and the end of a certificate's validity, in ISO 8601. */
export interface CertificateValidity {
  readonly from: string
  readonly until: string
}

/** The problem of a TLS certificate; `expires` means that it will expire soon and was not renewed. */
export type CertificateProblem = "expired" | "expires" | "missing"

/** The remaining part of the lifetime at which a certificate has a problem; Caddy should renew it at one third. */
const leastRemaining = 0.2

/**
 * Returns the problem of a certificate at the time `at`; null if there is none. A null `validity` is a missing
 * certificate.
 *
 * @example
 * certificateProblem(null, "2026-03-01T00:00:00.000Z") // => "missing"
 * certificateProblem({ from: "2026-01-01T00:00:00.000Z", until: "2026-04-01T00:00:00.000Z" }, "2026-03-01T00:00:00.000Z") // => null
 * certificateProblem({ from: "2026-01-01T00:00:00.000Z", until: "2026-04-01T00:00:00.000Z" }, "2026-03-15T00:00:00.000Z") // => "expires"
 * certificateProblem({ from: "2026-01-01T00:00:00.000Z", until: "2026-04-01T00:00:00.000Z" }, "2026-04-01T00:00:00.000Z") // => "expired"
 */
export const certificateProblem = (validity: CertificateValidity | null, at: string): CertificateProblem | null => {
  if (validity === null) return "missing"
  const [from, until] = [millisecondsOf(validity.from), millisecondsOf(validity.until)]
  const remaining = until - millisecondsOf(at)
  if (remaining <= 0) return "expired"
  return remaining < leastRemaining * (until - from) ? "expires" : null
}
