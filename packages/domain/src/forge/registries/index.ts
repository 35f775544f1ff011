export * from "./packages/containers/Container.ts"
export * as ContainerErrors from "./packages/containers/errors.ts"
export {
  ImageBlobInUse,
  ImageBlobNotFound,
  ImageManifestIncomplete,
  ImageManifestInvalid,
  ImageManifestNotFound,
  ImageUploadNotFound,
  ImageUploadOutOfOrder,
  ImageUploadsFull
} from "./packages/containers/errors.ts"
export * as PackageErrors from "./packages/errors.ts"
export { OwnsPackages, PackageFileExists, PackageFull, PackageNameInvalid, PackageNotFound } from "./packages/errors.ts"
export * from "./packages/npm.ts"
export * from "./packages/owner.ts"
export * from "./packages/Package.ts"
export * from "./packages/PackageSearch.ts"
