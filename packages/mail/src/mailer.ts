import type { Socket } from "node:net"
import { Mailer, MailRefused, MailUnsent } from "@slipway/domain"
import { Effect, Layer, Redacted, Result, type Scope } from "effect"

/** An SMTP server: host, port, encryption and credentials. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** Whether the connection uses TLS from the first byte; otherwise it uses STARTTLS if the server offers it. */
  readonly encrypted: boolean
  readonly user: { readonly name: string; readonly password: Redacted.Redacted } | undefined
}

const form = "must be smtp://[<user>:<password>@]<host>[:<port>], or smtps:// for implicit TLS"

/**
 * Parses the URL of an SMTP server, or returns an error message, which never contains the input.
 *
 * Special characters in user name and password must be percent-encoded.
 */
export const readMailServer = (text: string): Result.Result<MailServer, string> => {
  const [, scheme = ""] = /^(smtps?):\/\//.exec(text) ?? []
  const address = text.replace(/^smtps?:/, "https:")
  if (scheme === "" || !URL.canParse(address)) return Result.fail(form)
  const { hash, hostname, password, pathname, port, search, username } = new URL(address)
  const encrypted = scheme === "smtps"
  if (pathname !== "/" || search !== "" || hash !== "" || (username === "") !== (password === ""))
    return Result.fail(form)
  return Result.mapError(
    Result.try(() => ({
      host: hostname.replace(/^\[|\]$/g, ""),
      // The parser drops the port of https, which isn't a mail port unless given explicitly.
      port: port === "" ? (/:443(?:\/|$)/.test(text) ? 443 : encrypted ? 465 : 587) : Number(port),
      encrypted,
      user:
        username === ""
          ? undefined
          : { name: decodeURIComponent(username), password: Redacted.make(decodeURIComponent(password)) }
    })),
    () => form
  )
}

/**
 * Returns whether a text is a valid sender of emails: an email address, optionally after a name.
 *
 * @example
 * isSender("Forge <forge@example.com>") // => true
 * isSender("forge") // => false
 */
export const isSender = (text: string): boolean =>
  /^(?:[^<>@\p{Cc}]{1,100}<)?[^\s<>@]{1,64}@[^\s<>@]{1,255}>?$/u.test(text)

interface SmtpError extends Error {
  readonly code?: string
  readonly responseCode?: number
  readonly command?: string
}

/** The maximum length of a server's error message that is reported, in characters. */
const longestProblem = 300

/**
 * Converts an SMTP error to `MailRefused` (permanent, such as an unknown recipient) or `MailUnsent` (can be retried).
 *
 * A wrong password or sender is not permanent, because the operator can correct it.
 */
const failure = ({ code, command, message, responseCode = 0 }: SmtpError) => {
  const problem = message.slice(0, longestProblem).replaceAll(/\p{Cc}+/gu, " ")
  const isOfLetter = (code === "EENVELOPE" && command !== "MAIL FROM") || code === "EMESSAGE"
  return isOfLetter && responseCode >= 500 && responseCode < 600
    ? new MailRefused({ problem })
    : new MailUnsent({ problem })
}

/** The beginning of an encoded word (RFC 2047), which email clients decode. */
const encodedWord = "=?"
/** The maximum number of bytes that fit in Base64 into an encoded word of 75 characters. */
const mostBytes = 45

/** Splits a text into parts of at most 45 bytes, without splitting a character. */
const chunksOf = (text: string): ReadonlyArray<string> => {
  const chunks: Array<string> = []
  for (const character of text) {
    const last = chunks.at(-1)
    if (last === undefined || Buffer.byteLength(last + character) > mostBytes) chunks.push(character)
    else chunks[chunks.length - 1] = last + character
  }
  return chunks
}

/**
 * Returns the subject of an email for the nodemailer library, or a prepared header instead of it.
 *
 * The library does not encode ASCII, so a text that looks like an encoded word would be decoded by email clients. Such
 * a text is encoded here, so that recipients see the original.
 */
const subjectOf = (subject: string) => {
  if (!subject.includes(encodedWord)) return { plain: { subject }, prepared: {} }
  const words = chunksOf(subject.replace(/[\r\n]+/g, " ")).map(
    (chunk) => `=?UTF-8?B?${Buffer.from(chunk).toString("base64")}?=`
  )
  return { plain: {}, prepared: { Subject: { prepared: true, value: words.join("\r\n ") } } }
}

/** Returns a display name without encoded words, because many email clients decode them even in quoted names. */
const displayName = (name: string): string => name.replaceAll(encodedWord, "= ?")

/** The sender of emails: an address, such as `Slipway <forge@example.com>`, or its parts. */
type Sender = string | { readonly name: string; readonly address: string }

/** The options of a connection in addition to the server. */
export interface ConnectionOptions {
  /** Whether STARTTLS is required or never used; by default it is required with a password. */
  readonly startTls?: "never" | "required"
  /** The timeout of the server's responses, in seconds. */
  readonly timeout?: number
  /** The client name in the SMTP greeting (EHLO); by default the name of the machine. */
  readonly clientName?: string
  /** An open connection to the server, instead of a new one. */
  readonly socket?: Socket
}

/** Opens a mailer for an SMTP server, with the nodemailer library. */
export const openMailer = (
  { encrypted, host, port, user }: MailServer,
  from: Sender,
  { clientName, socket, startTls, timeout }: ConnectionOptions = {}
): Effect.Effect<Mailer["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    // Loaded only if mail is sent.
    const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
    const transport = yield* Effect.acquireRelease(
      Effect.sync(() =>
        createTransport({
          host,
          port,
          secure: encrypted,
          ...(user === undefined ? {} : { auth: { user: user.name, pass: Redacted.value(user.password) } }),
          // A password must not be sent over an unencrypted connection.
          requireTLS: !encrypted && (user !== undefined || startTls === "required"),
          ignoreTLS: startTls === "never",
          connectionTimeout: (timeout ?? 10) * 1_000,
          greetingTimeout: (timeout ?? 10) * 1_000,
          socketTimeout: (timeout ?? 30) * 1_000,
          ...(clientName === undefined ? {} : { name: clientName }),
          ...(socket === undefined ? {} : { connection: socket }),
          disableFileAccess: true,
          disableUrlAccess: true
        })
      ),
      (mailTransport) => Effect.sync(() => mailTransport.close())
    )
    const address = typeof from === "string" ? (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from) : from.address
    const domain = /@([^@<>\s]+?)>?\s*$/.exec(address)?.[1] ?? "localhost"
    const sender = typeof from === "string" ? from : { name: displayName(from.name), address }
    return {
      send: ({ by, headers, html, id, inReplyTo, subject, text, to, unsubscribe }) => {
        const { plain, prepared } = subjectOf(subject)
        return Effect.asVoid(
          Effect.tryPromise({
            try: () =>
              transport.sendMail({
                from: by === undefined ? sender : { name: displayName(by), address },
                to: { ...to, name: displayName(to.name) },
                ...plain,
                text,
                html,
                messageId: `<${id}@${domain}>`,
                ...(inReplyTo === undefined
                  ? {}
                  : { inReplyTo: `<${inReplyTo}@${domain}>`, references: [`<${inReplyTo}@${domain}>`] }),
                headers: {
                  ...headers,
                  ...prepared,
                  // Suppresses out-of-office replies.
                  "Auto-Submitted": "auto-generated",
                  ...(unsubscribe === null
                    ? {}
                    : {
                        "List-Unsubscribe": `<${unsubscribe}>`,
                        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
                      })
                }
              }),
            catch: (error) => failure(error as SmtpError)
          }).pipe(
            // Each message of a server restarts the timeout of the library.
            Effect.timeoutOrElse({
              duration: "2 minutes",
              orElse: () => Effect.fail(new MailUnsent({ problem: "the server took longer than two minutes" }))
            })
          )
        )
      }
    }
  })

/** Layer that sends emails from an address through an SMTP server. */
export const layerMailer = (server: MailServer, from: string): Layer.Layer<Mailer> =>
  Layer.effect(Mailer, openMailer(server, from))
