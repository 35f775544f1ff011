import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"

/** A static file with the hash of its content in its address, so that browsers cache it forever. */
export interface Asset {
  readonly path: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The compressed forms, which are built once, at the first request. */
  readonly encoded: Readonly<Record<"br" | "gzip", () => Uint8Array<ArrayBuffer>>>
}

const types = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8", svg: "image/svg+xml" } as const

const memoized = <A>(make: () => A): (() => A) => {
  let value: A | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** Creates an asset. */
export const assetOf = (name: string, ending: keyof typeof types, content: Uint8Array): Asset => {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  return {
    path: `/assets/${name}.${hash}.${ending}`,
    type: types[ending],
    bytes: Uint8Array.from(content),
    encoded: {
      br: memoized(() => Uint8Array.from(brotliCompressSync(content, { params }))),
      gzip: memoized(() => Uint8Array.from(gzipSync(content, { level: 9 })))
    }
  }
}

/** Reads a file of this folder; it is in the sources even if the program runs from `dist`. */
export const sourceFile = (name: string): Uint8Array =>
  readFileSync(new URL(`../../src/assets/${name}`, import.meta.url))

/** Returns the address of an asset. */
export const addressOf = ({ path }: Asset): string => path

/** Answers a request for an asset, which browsers cache forever because its content never changes. */
export const serveAsset = (asset: Asset, request: Request): Response => {
  const accepted = request.headers.get("accept-encoding") ?? ""
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined
  const body = encoding === undefined ? asset.bytes : asset.encoded[encoding]()
  return new Response(request.method === "HEAD" ? null : body, {
    headers: {
      "content-type": asset.type,
      "content-length": String(body.length),
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
      ...(encoding === undefined ? {} : { "content-encoding": encoding })
    }
  })
}
