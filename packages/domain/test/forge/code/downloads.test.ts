import { describe, expect, it } from "@effect/vitest"
import { downloadHeaders, fileNameProblem, isAllowedType } from "@slipway/domain/forge/code"

describe("headers of a download", () => {
  it.each([
    ["image/png", "image/png", "inline"],
    ["image/svg+xml", "application/octet-stream", "attachment"],
    ["text/html", "text/plain; charset=utf-8", "attachment"],
    ["application/xhtml+xml", "application/octet-stream", "attachment"],
    ["application/javascript", "application/octet-stream", "attachment"],
    ["application/pdf", "application/pdf", "attachment"],
    ["video/mp4", "video/mp4", "attachment"],
    ["x\r\nset-cookie: a", "application/octet-stream", "attachment"]
  ])("prevent %s from running in a browser", (type, served, way) => {
    const headers = downloadHeaders("a.b", type)
    expect(headers["content-type"]).toBe(served)
    expect(headers["content-disposition"]).toBe(`${way}; filename="a.b"; filename*=UTF-8''a.b`)
    expect(headers["content-security-policy"]).toBe("default-src 'none'; style-src 'none'; sandbox")
    expect(headers["x-content-type-options"]).toBe("nosniff")
  })

  it("encode file names that would end the header", () => {
    expect(downloadHeaders("a\"\r\nX: y\\;é'%.txt", "text/plain")["content-disposition"]).toBe(
      `attachment; filename="a___X: y_;e_'_.txt"; filename*=UTF-8''a%22%0D%0AX%3A%20y%5C%3B%C3%A9%27%25.txt`
    )
    expect(downloadHeaders("\udcff.txt", "text/plain")["content-disposition"]).toBe(
      `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`
    )
  })
})

describe("the check of file names and types", () => {
  it.each(["", " ", ".", "..", "a/b", "a\\b", "a\0", "a\nb", "\ud800", "x".repeat(256)])(
    "refuses the name %j",
    (name) => {
      expect(fileNameProblem(name)).toBeTypeOf("string")
    }
  )

  it.each(["a", "Ünï cödé (1).tar.gz", "x".repeat(255), ".gitignore"])("accepts the name %j", (name) => {
    expect(fileNameProblem(name)).toBeUndefined()
  })

  it.each([
    ["*/*", "a.exe", "application/x-msdownload", true],
    ["image/*", "a.png", "image/png", true],
    ["image/*", "a.png", "text/plain", false],
    [".zip , text/plain", "A.ZIP", "application/zip", true],
    [".zip , text/plain", "a", "text/plain", true],
    [".zip", "a.zip.exe", "application/zip", false],
    ["", "a", "text/plain", false]
  ])("for the allowed types %j, the file %s and the type %s returns %s", (list, name, type, allowed) => {
    expect(isAllowedType(list, name, type)).toBe(allowed)
  })
})
