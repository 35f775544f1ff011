import { type AgeIdentity, FileEncryption, FileNotDecrypted } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, Redacted, Stream } from "effect"

// Few instances encrypt backups: the library is loaded on demand.
const library = Effect.promise(() => import("age-encryption"))

/** The format of an X25519 recipient of age. The library also verifies its checksum. */
const recipientForm = /^age1[02-9ac-hj-np-z]{58}$/

const readAll = (bytes: ReadableStream<Uint8Array>, onError: (error: unknown) => FileNotDecrypted) =>
  Stream.fromReadableStream({ evaluate: () => bytes, onError })

/** Provides encryption and decryption of files in the age format. */
export const layerFileEncryption: Layer.Layer<FileEncryption> = Layer.effect(
  FileEncryption,
  Effect.map(library, (age) => {
    const isRecipient = (text: string): boolean => {
      if (!recipientForm.test(text)) return false
      try {
        new age.Encrypter().addRecipient(text)
        return true
      } catch {
        return false
      }
    }
    const read = (identity: Redacted.Redacted): Effect.Effect<AgeIdentity> =>
      Effect.promise(async () => ({ identity, recipient: await age.identityToRecipient(Redacted.value(identity)) }))
    return {
      isRecipient,
      read,
      generate: Effect.flatMap(
        Effect.promise(() => age.generateX25519Identity()),
        (identity) => read(Redacted.make(identity))
      ),
      encrypt: <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, recipients: ReadonlyArray<string>) =>
        piped(bytes, (source) => {
          const encrypter = new age.Encrypter()
          for (const recipient of recipients) encrypter.addRecipient(recipient)
          return encrypter.encrypt(source)
        }).pipe(Stream.catchTag("FileNotDecrypted", Stream.die)) as Stream.Stream<Uint8Array, E, R>,
      decrypt: <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, identity: Redacted.Redacted) =>
        piped(bytes, (source) => {
          const decrypter = new age.Decrypter()
          decrypter.addIdentity(Redacted.value(identity))
          return decrypter.decrypt(source)
        })
    }
  })
)

/** Pipes a byte stream through a function on web streams. If the source fails, the result fails with the same error. */
const piped = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  through: (source: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>
): Stream.Stream<Uint8Array, FileNotDecrypted | E, R> =>
  Stream.unwrap(
    Effect.gen(function* () {
      let failure: { readonly error: E } | undefined
      const observed = Stream.tapError(bytes, (error) =>
        Effect.sync(() => {
          failure = { error }
        })
      )
      const source = Stream.toReadableStreamWith(observed, yield* Effect.context<R>())
      const result = yield* Effect.tryPromise({ try: () => through(source), catch: () => new FileNotDecrypted() }).pipe(
        Effect.mapError((error) => failure?.error ?? error)
      )
      return Stream.mapError(
        readAll(result, () => new FileNotDecrypted()),
        (error): FileNotDecrypted | E => failure?.error ?? error
      )
    })
  )
