import { CfnOutput, type Stack } from 'aws-cdk-lib';
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2';
import * as route53 from 'aws-cdk-lib/aws-route53';
import type { Platform } from '../platform.ts';

/**
 * Serves the HTTP API at the custom domain as well. Domain, mapping and records are in the stack of the stage, so that a
 * domain can be added to or removed from a deployed stage without an export that appears or disappears.
 */
export function createCustomDomain(
  stack: Stack,
  { parameters, httpApi }: Platform,
  stage: gateway.CfnStage,
): void {
  const { domainName, certificateArn, hostedZoneId } = parameters;
  const domain = new gateway.CfnDomainName(stack, 'Domain', {
    domainName,
    domainNameConfigurations: [{ certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' }],
  });
  new gateway.CfnApiMapping(stack, 'DomainMapping', {
    apiId: httpApi.id,
    domainName: domain.ref,
    stage: stage.ref,
  });
  new CfnOutput(stack, 'DomainTarget', { value: domain.attrRegionalDomainName });
  if (!hostedZoneId) return;
  for (const type of ['A', 'AAAA']) {
    new route53.CfnRecordSet(stack, `Record${type}`, {
      hostedZoneId,
      name: domainName,
      type,
      aliasTarget: { dnsName: domain.attrRegionalDomainName, hostedZoneId: domain.attrRegionalHostedZoneId },
    });
  }
}
