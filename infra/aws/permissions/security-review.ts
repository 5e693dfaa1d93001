import type { IPolicyValidationPlugin, PolicyViolation } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { ACCEPTED, type Accepted } from './accepted-findings.ts';

/** A rule that a resource breaks, with the path of its construct. */
export type Finding = { rule: string; path: string };

/** All findings of the rule packs AwsSolutions and Serverless on a tree of constructs. */
export function findingsOf(root: IConstruct): (Finding & { violation: PolicyViolation })[] {
  const packs = [new AwsSolutionsChecks(), new ServerlessChecks()];
  return packs.flatMap((pack) =>
    pack.validateScope(root).violations.flatMap((violation) =>
      violation.violatingResources.map(({ constructPath }) => ({
        rule: violation.ruleName,
        path: withinService(constructPath),
        violation,
      })),
    ),
  );
}

/** The path of a construct from its stack on. */
const withinService = (path = ''): string => path.replace(/^Default\//, '');

/** True if a row accepts a finding, with the reason. */
export function isAcceptedBy(finding: Finding, accepted: Accepted): boolean {
  return accepted.rule.test(finding.rule) && accepted.path.test(finding.path);
}

/** cdk-nag as a step of synthesis: any finding that is not accepted with a reason stops it. */
export function securityReview(): IPolicyValidationPlugin {
  return {
    name: 'security-review',
    validate({ appConstruct }) {
      const open = findingsOf(appConstruct).filter(
        (finding) => !ACCEPTED.some((row) => isAcceptedBy(finding, row)),
      );
      const violations = open.map(({ violation, path }) => ({
        ...violation,
        violatingResources: violation.violatingResources.filter(
          ({ constructPath }) => withinService(constructPath) === path,
        ),
      }));
      return { success: violations.length === 0, violations };
    },
  };
}
