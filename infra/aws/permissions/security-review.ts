import type { IPolicyValidationPlugin, PolicyViolation } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { ACCEPTED, type Accepted } from './accepted-findings.ts';

export type Finding = { rule: string; path: string };

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

const withinService = (path = ''): string => path.replace(/^Default\//, '');

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
