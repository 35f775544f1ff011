import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate
} from "node:crypto"
import { isIP, isIPv6 } from "node:net"
import { promisify } from "node:util"
import { AsnConvert, OctetString } from "@peculiar/asn1-schema"
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version
} from "@peculiar/asn1-x509"
import {
  CertificateIssuer,
  type CertificateValidity,
  type IssuedCertificate
} from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, Redacted } from "effect"

const ecdsaWithSha256 = "1.2.840.10045.4.3.2"
const commonName = "2.5.4.3"
/** The maximum length of a common name (RFC 5280, `ub-common-name`). */
const longestName = 64

const makeKeys = promisify(generateKeyPair)

const nameOf = (text: string): Name =>
  new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({
        type: commonName,
        value: new AttributeValue({ utf8String: text.slice(0, longestName) })
      })
    ])
  ])

const extension = (extnID: string, value: object, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })

const publicInfo = (key: KeyObject): SubjectPublicKeyInfo =>
  AsnConvert.parse(key.export({ type: "spki", format: "der" }), SubjectPublicKeyInfo)

/** Returns the identifier of a public key: its first 20 bytes, which are random (RFC 7093 allows any unique value). */
const keyIdOf = (key: SubjectPublicKeyInfo): ArrayBuffer => key.subjectPublicKey.slice(1, 21)

const pemOf = (der: ArrayBuffer): string => new X509Certificate(new Uint8Array(der)).toString()

interface Draft {
  readonly subject: Name
  readonly publicKey: SubjectPublicKeyInfo
  readonly issuer: Name
  readonly issuerKey: KeyObject
  readonly validity: CertificateValidity
  readonly extensions: ReadonlyArray<Extension>
}

/** Signs a certificate and returns it in PEM. */
const signed = ({ extensions, issuer, issuerKey, publicKey, subject, validity }: Draft): string => {
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 })
  const serial = randomBytes(16)
  // A serial number is positive and has no leading zeros.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  const issuerId = keyIdOf(publicInfo(createPublicKey(issuerKey)))
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: new Uint8Array(serial).buffer,
    signature: signatureAlgorithm,
    issuer,
    validity: new Validity({ notBefore: new Date(validity.from), notAfter: new Date(validity.until) }),
    subject,
    subjectPublicKeyInfo: publicKey,
    extensions: new Extensions([
      ...extensions,
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdOf(publicKey))),
      extension(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({ keyIdentifier: new SubjectKeyIdentifier(issuerId) })
      )
    ])
  })
  const signature = sign("sha256", new Uint8Array(AsnConvert.serialize(tbsCertificate)), issuerKey)
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm,
    signatureValue: new Uint8Array(signature).buffer
  })
  return pemOf(AsnConvert.serialize(certificate))
}

const authority = (subject: Name, key: KeyObject, validity: CertificateValidity): string =>
  signed({
    subject,
    publicKey: publicInfo(createPublicKey(key)),
    issuer: subject,
    issuerKey: key,
    validity,
    extensions: [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true)
    ]
  })

const newKey = Effect.promise(async () => (await makeKeys("ec", { namedCurve: "prime256v1" })).privateKey)

const written = (certificate: string, key: KeyObject): IssuedCertificate => ({
  certificate,
  privateKey: Redacted.make(key.export({ type: "pkcs8", format: "pem" }).toString())
})

/** Returns an IPv6 address without its IPv4 form, such as `::ffff:192.0.2.1`, which the encoder misreads. */
const plainAddress = (ip: string): string => (isIPv6(ip) ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip)

const nameIn = (name: string): GeneralName =>
  isIP(name) === 0 ? new GeneralName({ dNSName: name }) : new GeneralName({ iPAddress: plainAddress(name) })

const keyOf = ({ privateKey }: IssuedCertificate): KeyObject => createPrivateKey(Redacted.value(privateKey))

const subjectOf = ({ certificate }: IssuedCertificate): Name =>
  AsnConvert.parse(new Uint8Array(new X509Certificate(certificate).raw), Certificate).tbsCertificate.subject

/** Issues X.509 certificates with keys on the curve P-256. */
export const layerCertificateIssuer: Layer.Layer<CertificateIssuer> = Layer.succeed(CertificateIssuer, {
  makeAuthority: (name, validity) => Effect.map(newKey, (key) => written(authority(nameOf(name), key, validity), key)),
  renewAuthority: (present, validity) => Effect.sync(() => authority(subjectOf(present), keyOf(present), validity)),
  issue: (issuer, names, validity) =>
    Effect.map(newKey, (key) => {
      const alternatives = names.map(nameIn)
      const certificate = signed({
        subject: nameOf(names[0] ?? "database"),
        publicKey: publicInfo(createPublicKey(key)),
        issuer: subjectOf(issuer),
        issuerKey: keyOf(issuer),
        validity,
        extensions: [
          extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
          extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
          extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
          extension(id_ce_subjectAltName, new SubjectAlternativeName(alternatives))
        ]
      })
      return written(certificate, key)
    })
})
