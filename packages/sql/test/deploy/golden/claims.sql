
  SELECT
    domain_claim.domain_key AS domain,
    CASE
      WHEN domain_claim.application_uuid IS NOT NULL THEN 'application'
      WHEN domain_claim.service_uuid IS NOT NULL THEN 'service'
      ELSE 'instance'
    END AS type,
    coalesce(domain_claim.application_uuid, domain_claim.service_uuid) AS uuid,
    CASE
      WHEN domain_claim.application_uuid IS NOT NULL THEN coalesce(application.configuration ->> 'name', '')
      WHEN domain_claim.service_uuid IS NOT NULL THEN service.name
      ELSE $1
    END AS name
  FROM unnest((SELECT $2::text[])) AS sought (domain_key)
  JOIN domain_claim ON domain_claim.domain_key = sought.domain_key
  LEFT JOIN application ON application.uuid = domain_claim.application_uuid
  LEFT JOIN service ON service.uuid = domain_claim.service_uuid
  ORDER BY domain_claim.id