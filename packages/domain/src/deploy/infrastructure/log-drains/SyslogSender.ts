import { Context, Effect, Schema } from "effect"

/** Reports that messages could not be sent to a syslog server, with the reason. */
export class SyslogUnsent extends Schema.TaggedError<SyslogUnsent>()("SyslogUnsent", { because: Schema.String }) {}

/** The host and port of a syslog server, and whether the connection uses TLS. */
export interface SyslogAddress {
  readonly host: string
  readonly port: number
  readonly isEncrypted: boolean
}

/** Sends messages to syslog servers that the rule for outbound requests allows; the default implementation fails. */
export const SyslogSender = Context.Reference<{
  readonly send: (address: SyslogAddress, messages: ReadonlyArray<string>) => Effect.Effect<void, SyslogUnsent>
}>("@slipway/domain/deploy/SyslogSender", {
  defaultValue: () => ({
    send: () => Effect.fail(new SyslogUnsent({ because: "this instance sends no syslog messages" }))
  })
})

/**
 * Parses the address of a syslog server; undefined for an invalid one.
 *
 * @example
 * readSyslogAddress("tcp://logs.example:601") // => { host: "logs.example", port: 601, isEncrypted: false }
 * readSyslogAddress("tls://logs.example") // => { host: "logs.example", port: 6514, isEncrypted: true }
 * readSyslogAddress("udp://logs.example") // => undefined
 */
export const readSyslogAddress = (text: string): SyslogAddress | undefined => {
  const [, scheme, host = "", port] = /^(tcp|tls):\/\/([\w.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?\/?$/i.exec(text) ?? []
  if (scheme === undefined) return undefined
  const isEncrypted = scheme.toLowerCase() === "tls"
  const number = port === undefined ? (isEncrypted ? 6_514 : 601) : Number(port)
  if (number < 1 || number > 65_535) return undefined
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: number, isEncrypted }
}
