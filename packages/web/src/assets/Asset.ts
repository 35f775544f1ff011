import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"

/**
 * A static file of the web pages. Its URL path contains a hash of the content, so that browsers can cache it without
 * limit.
 */
export interface Asset {
  readonly path: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Functions that return the compressed content. They compress at the first request and cache the result. */
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

/** Creates an asset from its content. `ending` is the file extension, which determines the media type. */
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

/** Reads a file from this folder of the sources, also if the program runs from `dist`. */
export const sourceFile = (name: string): Uint8Array =>
  readFileSync(new URL(`../../src/assets/${name}`, import.meta.url))

/** Returns the URL path of an asset. */
export const addressOf = ({ path }: Asset): string => path

/**
 * Returns the response for an asset. Browsers may cache it without limit, because a changed content has another URL.
 */
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
