import type { Migration } from "../../../Migrations.ts"

/** Creates the table of domain claims: which application uses which domain. */
export const domains: Migration = {
  name: "0008_domains",
  up: [
    // A claim without application and service belongs to the platform.
    `CREATE TABLE domain_claim (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      domain_key text COLLATE "C" NOT NULL,
      application_uuid text COLLATE "C" REFERENCES application (uuid) ON DELETE CASCADE,
      service_uuid text COLLATE "C" REFERENCES service (uuid) ON DELETE CASCADE,
      CONSTRAINT domain_claim_holder CHECK (application_uuid IS NULL OR service_uuid IS NULL)
    )`,
    // A domain can exceed the maximum size of a B-tree entry.
    `CREATE INDEX domain_claim_domain ON domain_claim USING hash (domain_key)`,
    `CREATE INDEX domain_claim_application ON domain_claim (application_uuid) WHERE application_uuid IS NOT NULL`,
    `CREATE INDEX domain_claim_service ON domain_claim (service_uuid) WHERE service_uuid IS NOT NULL`,
    `CREATE INDEX domain_claim_instance ON domain_claim (id) WHERE application_uuid IS NULL AND service_uuid IS NULL`
  ]
}
