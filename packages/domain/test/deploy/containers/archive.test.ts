import { Effect, Stream } from "effect"
import { Tar } from "effect/encoding"
import { describe, expect, it } from "vitest"
import { archiveOf, withoutTopDirectory } from "../../../src/deploy/containers/index.ts"

/** Returns the paths, link targets and owners of the entries after the removal of the top directory. */
const unpacked = (entries: ReadonlyArray<Tar.Entry>) =>
  withoutTopDirectory(archiveOf(entries)).pipe(
    Stream.pipeThroughChannel(Tar.decode()),
    Stream.map(({ header: { linkTarget = null, mode, path, uid } }) => [path, linkTarget, mode, uid]),
    Stream.runCollect,
    Effect.runPromise
  )

describe("the content of an archived directory", () => {
  it("loses the top directory in paths and hard links, and keeps modes and owners", async () => {
    const entries = [
      Tar.directory("extra", { mode: 0o700, uid: 7 }),
      Tar.file("extra/deep/file", "text", { mode: 0o640, uid: 999 }),
      Tar.hardlink("extra/hard", "extra/deep/file"),
      Tar.symlink("extra/link", "../elsewhere")
    ]
    expect(await unpacked(entries)).toEqual([
      ["./", null, 0o700, 7],
      ["deep/file", null, 0o640, 999],
      ["hard", "deep/file", 0o644, 0],
      ["link", "../elsewhere", 0o777, 0]
    ])
  })

  it("accepts the absolute paths of Podman's archives of volumes", async () => {
    const entries = [Tar.directory("/"), Tar.directory("/deep"), Tar.file("/deep/file", "text")]
    expect((await unpacked(entries)).map(([path]) => path)).toEqual(["./", "deep/", "deep/file"])
  })

  it("omits entries outside of the archive", async () => {
    const entries = [
      Tar.file("extra/../../etc/passwd", ""),
      Tar.hardlink("extra/hard", "extra/../secret"),
      Tar.file("extra/kept", "")
    ]
    expect((await unpacked(entries)).map(([path]) => path)).toEqual(["kept"])
  })
})
