import { ImageDigest, ImageManifestInvalid, isImageDigest, mostNamedParts } from "@slipway/domain/forge/registries"
import { Effect, Schema } from "effect"

/** The accepted manifest types: images and indexes, of OCI and Docker. */
export const manifestTypes = {
  image: "application/vnd.oci.image.manifest.v1+json",
  index: "application/vnd.oci.image.index.v1+json",
  dockerImage: "application/vnd.docker.distribution.manifest.v2+json",
  dockerList: "application/vnd.docker.distribution.manifest.list.v2+json"
} as const

const lists: ReadonlySet<string> = new Set([manifestTypes.index, manifestTypes.dockerList])
const known: ReadonlySet<string> = new Set(Object.values(manifestTypes))

const isText = (written: string): boolean => written.isWellFormed() && !written.includes("\0")

const text = Schema.String.check(Schema.isMaxLength(255), Schema.makeFilter(isText))
const maybe = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Descriptor = Schema.Struct({
  mediaType: maybe(text),
  digest: text,
  size: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  urls: maybe(Schema.Array(Schema.String))
})
type Descriptor = typeof Descriptor.Type

const common = {
  schemaVersion: Schema.Literal(2),
  mediaType: maybe(text),
  artifactType: maybe(text),
  subject: maybe(Descriptor),
  annotations: maybe(Schema.Record(Schema.String, Schema.String))
}

const some = Schema.Array(Descriptor).check(Schema.isMaxLength(mostNamedParts))
const Image = Schema.Struct({ ...common, config: Descriptor, layers: some })
const List = Schema.Struct({ ...common, manifests: some })

const decodeImage = Schema.decodeUnknownEffect(Image)
const decodeList = Schema.decodeUnknownEffect(List)
const Typed = Schema.Struct({ mediaType: maybe(Schema.String) })
const decodeType = Schema.decodeUnknownEffect(Typed)

/** The parts of a manifest that the registry needs. */
export interface ReadManifest {
  readonly mediaType: string
  readonly artifactType: string | null
  readonly subject: ImageDigest | null
  /** The annotations of the manifest; empty if it has no subject. */
  readonly annotations: Readonly<Record<string, string>>
  /** The required blobs, without duplicates. */
  readonly blobs: ReadonlyArray<ImageDigest>
  /** The required manifests, without duplicates. */
  readonly manifests: ReadonlyArray<ImageDigest>
}

const invalid = (problem: string) => new ImageManifestInvalid({ problem })

/** The maximum length of the stored annotations of one manifest, in characters. */
const longestAnnotations = 32_768

const checkedAnnotations = Effect.fnUntraced(function* (annotations: Readonly<Record<string, string>>) {
  const written = Object.entries(annotations).flat()
  if (written.reduce((length, each) => length + each.length, 0) > longestAnnotations) {
    return yield* invalid(`annotations must have at most ${longestAnnotations} characters`)
  }
  if (!written.every(isText)) {
    return yield* invalid("annotations must be well-formed text without NUL")
  }
  return annotations
})

/** Returns whether a layer is a foreign layer: clients download it from its URLs and never upload it. */
const isElsewhere = ({ mediaType, urls }: Descriptor): boolean =>
  (urls?.length ?? 0) > 0 || /nondistributable|foreign/.test(mediaType ?? "")

const digestsOf = Effect.fnUntraced(function* (descriptors: ReadonlyArray<Descriptor>) {
  const digests = [...new Set(descriptors.map(({ digest }) => digest))]
  const other = digests.find((digest) => !isImageDigest(digest))
  if (other !== undefined) return yield* invalid("digests must be of sha256")
  return digests.map((digest) => ImageDigest.make(digest))
})

/** Parses a manifest of a given media type; a `mediaType` in the document must be the same. */
export const readManifest = Effect.fnUntraced(
  function* (document: unknown, contentType: string | undefined) {
    const { mediaType: own } = yield* decodeType(document)
    const sent = contentType?.split(";")[0]?.trim().toLowerCase()
    const mediaType = sent === undefined || sent === "" ? (own ?? "") : sent
    if (!known.has(mediaType)) return yield* invalid(`the type must be one of ${[...known].join(", ")}`)
    if (own != null && own !== mediaType)
      return yield* invalid("the type of the document differs from that of the request")
    const isList = lists.has(mediaType)
    const read = isList
      ? { ...(yield* decodeList(document)), named: [], config: undefined }
      : yield* Effect.map(decodeImage(document), (image) => ({
          ...image,
          manifests: [],
          named: [image.config, ...image.layers.filter((layer) => !isElsewhere(layer))]
        }))
    const [subject] = yield* digestsOf(read.subject == null ? [] : [read.subject])
    return {
      mediaType,
      artifactType: read.artifactType ?? read.config?.mediaType ?? null,
      subject: subject ?? null,
      // Annotations matter only for a manifest with a subject.
      annotations: subject === undefined ? {} : yield* checkedAnnotations(read.annotations ?? {}),
      blobs: yield* digestsOf(read.named),
      manifests: yield* digestsOf(read.manifests)
    } satisfies ReadManifest
  },
  Effect.catchTag("SchemaError", () => Effect.fail(invalid("the document is not a valid manifest of its type")))
)
