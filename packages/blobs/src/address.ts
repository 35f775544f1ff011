import { resolve } from "node:path"
import type { BlobStore } from "@slipway/domain/forge/base"
import { type Layer, Redacted, Result } from "effect"
import { layerDirectory } from "./directory.ts"
import { layerS3, type S3Place } from "./s3.ts"

/** The address of a blob store: a directory or a bucket of an S3-compatible server. */
export type BlobAddress =
  | { readonly _tag: "Directory"; readonly directory: string }
  | { readonly _tag: "S3"; readonly place: S3Place }

const s3Form = "s3://<key id>:<secret>@<host>/<bucket>[/<folder>][?region=<region>&tls=off&style=host]"

const flag = (text: string | null, yes: string, no: string): boolean | undefined =>
  text === null || text === no ? false : text === yes ? true : undefined

const s3Place = (text: string): S3Place | undefined => {
  // The URL parser handles credentials and a port alike only for schemes that it knows.
  const address = text.replace(/^s3:/, "https:")
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const known = new Set(["region", "style", "tls"])
  const plain = flag(url.searchParams.get("tls"), "off", "on")
  const byHost = flag(url.searchParams.get("style"), "host", "path")
  const [bucket = "", ...folder] = url.pathname.slice(1).replace(/\/$/, "").split("/")
  const isRight =
    [...url.searchParams.keys()].every((name) => known.has(name)) &&
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    folder.every((part) => /^[A-Za-z0-9_-]{1,64}$/.test(part)) &&
    url.username !== "" &&
    url.password !== ""
  if (!isRight || plain === undefined || byHost === undefined) return undefined
  try {
    return {
      endpoint: `${plain ? "http" : "https"}://${url.host}`,
      region: url.searchParams.get("region") ?? "us-east-1",
      bucket,
      prefix: folder.map((part) => `${part}/`).join(""),
      bucketInHost: byHost,
      keyId: decodeURIComponent(url.username),
      secret: Redacted.make(decodeURIComponent(url.password))
    }
  } catch {
    return undefined
  }
}

/**
 * Parses an address such as `file:/srv/blobs` or `s3://key:secret@s3.example/bucket/folder?region=eu-1`. Returns a
 * description of the problem if the address is invalid.
 *
 * Special characters of the key and the secret are percent-encoded. The description never contains the input.
 */
export const readBlobAddress = (text: string): Result.Result<BlobAddress, string> => {
  if (/^file:./.test(text)) {
    return Result.succeed({ _tag: "Directory", directory: resolve(text.replace(/^file:(?:\/\/(?=\/))?/, "")) })
  }
  const place = text.startsWith("s3://") ? s3Place(text) : undefined
  return place === undefined
    ? Result.fail(`must be file:<directory> or ${s3Form}`)
    : Result.succeed({ _tag: "S3", place })
}

/** Provides a blob store at an address. */
export const layerBlobs = (address: BlobAddress): Layer.Layer<BlobStore> =>
  address._tag === "Directory" ? layerDirectory(address.directory) : layerS3(address.place)

/** Returns an address as text, without its secrets. */
export const showBlobAddress = (address: BlobAddress): string =>
  address._tag === "Directory"
    ? `file:${address.directory}`
    : `${address.place.endpoint}/${address.place.bucket}/${address.place.prefix}`
