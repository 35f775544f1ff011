import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
  toJson
} from "@bufbuild/protobuf"
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp
} from "@bufbuild/protobuf/wkt"
import { enumWords, messageFields, packageName, type Requests, type Responses } from "./schema.ts"

const scalars: Readonly<Record<string, FieldDescriptorProto_Type>> = {
  string: FieldDescriptorProto_Type.STRING,
  bool: FieldDescriptorProto_Type.BOOL,
  bytes: FieldDescriptorProto_Type.BYTES,
  int64: FieldDescriptorProto_Type.INT64
}

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_, initial: string) => initial.toUpperCase())
const entryName = (field: string): string => `${camelCase(`_${field}`)}Entry`

/** Returns the protobuf type of a field: a scalar, an enumeration or another message. */
const typeOf = (word: string) => {
  const scalar = scalars[word]
  if (scalar !== undefined) return { type: scalar }
  const type = word in enumWords ? FieldDescriptorProto_Type.ENUM : FieldDescriptorProto_Type.MESSAGE
  return { type, typeName: word.includes(".") ? `.${word}` : `.${packageName}.${word}` }
}

const fieldOf = (message: string, name: string, number: number, said: string, oneofs: Array<string>) => {
  const common = { name, number, jsonName: camelCase(name) }
  if (said.startsWith("map ")) {
    const typeName = `.${packageName}.${message}.${entryName(name)}`
    return { ...common, type: FieldDescriptorProto_Type.MESSAGE, typeName, label: FieldDescriptorProto_Label.REPEATED }
  }
  const isList = said.endsWith("[]")
  const label = isList ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL
  const field = { ...common, ...typeOf(said.replace(/\[\]$|\?$/, "")), label }
  if (!said.endsWith("?")) return field
  oneofs.push(`_${name}`)
  return { ...field, proto3Optional: true, oneofIndex: oneofs.length - 1 }
}

const entryOf = (field: string, value: string): DescriptorProto =>
  create(DescriptorProtoSchema, {
    name: entryName(field),
    field: [fieldOf("", "key", 1, "string", []), fieldOf("", "value", 2, value, [])],
    options: { mapEntry: true }
  })

const messageOf = (name: string, fields: Readonly<Record<string, readonly [number, string]>>): DescriptorProto => {
  const oneofs: Array<string> = []
  return create(DescriptorProtoSchema, {
    name,
    field: Object.entries(fields).map(([field, [number, said]]) => fieldOf(name, field, number, said, oneofs)),
    nestedType: Object.entries(fields).flatMap(([field, [, said]]) =>
      said.startsWith("map ") ? [entryOf(field, said.slice(4))] : []
    ),
    oneofDecl: oneofs.map((each) => ({ name: each }))
  })
}

const known = [file_google_protobuf_struct, file_google_protobuf_timestamp]

const registry = createFileRegistry(
  create(FileDescriptorProtoSchema, {
    name: "runner/v1/messages.proto",
    package: packageName,
    syntax: "proto3",
    dependency: known.map(({ proto }) => proto.name),
    messageType: Object.entries(messageFields).map(([name, fields]) => messageOf(name, fields)),
    enumType: Object.entries(enumWords).map(([name, words]) => ({
      name,
      value: words.map((word, number) => ({ name: word, number }))
    }))
  }),
  (name) => known.find(({ proto }) => proto.name === name)
)

const descriptors = new Map<string, DescMessage>(
  Object.keys(messageFields).flatMap((name) => {
    const found = registry.getMessage(`${packageName}.${name}`)
    return found === undefined ? [] : [[name, found]]
  })
)

const descriptorOf = (name: string): DescMessage => {
  const found = descriptors.get(name)
  if (found === undefined) throw new Error(`the protocol has no message ${name}`)
  return found
}

type All = Requests & Responses

/** Parses a protobuf message; throws for invalid bytes. */
export const readBinary = <N extends keyof All>(name: N, bytes: Uint8Array): All[N] =>
  // BOUNDARY: the descriptor and the interface have the same name.
  fromBinary(descriptorOf(name), bytes, { readUnknownFields: false }) as Message as unknown as All[N]

/** Parses a message in protobuf's JSON format; throws for an invalid message. */
export const readJson = <N extends keyof All>(name: N, json: unknown): All[N] =>
  fromJson(descriptorOf(name), json as JsonValue, { ignoreUnknownFields: true }) as Message as unknown as All[N]

const createMessage = (name: keyof All, message: object) =>
  create(descriptorOf(name), message as Record<string, unknown>)

/** Encodes a message as protobuf; omitted fields get their empty default. */
export const writeBinary = (name: keyof All, message: object): Uint8Array<ArrayBuffer> =>
  toBinary(descriptorOf(name), createMessage(name, message))

/** Encodes a message in protobuf's JSON format. */
export const writeJson = (name: keyof All, message: object): unknown =>
  toJson(descriptorOf(name), createMessage(name, message))
