import {
  App,
  type IPolicyValidationPlugin,
  type PolicyViolation,
  type Stack,
  Validations,
} from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { defined } from '../../shared/runtime/values/defined.ts';
import { NotificationService } from './notification-service.ts';
import { ACCEPTED, type Accepted } from './permissions/accepted-findings.ts';
import type { Platform } from './platform.ts';
import type { ServiceCode } from './stacks/service-stacks.ts';

export type AppOptions = ServiceCode & {
  /** Context with lower precedence than the CDK's command line. */
  context?: Readonly<Record<string, unknown>>;
  outputFolder?: string;
  /** False omits the security review, for tests that synthesize many deployments. */
  isReviewed?: boolean;
};

/** The five stacks, not yet synthesized; `synth()` fails when the security review finds something. */
export function buildApp(options: AppOptions): { app: App; stacks: readonly Stack[]; platform: Platform } {
  const { outputFolder, context } = options;
  const app = new App({
    context: { ...context },
    analyticsReporting: false,
    ...defined({ outdir: outputFolder }),
  });
  // The CDK leaves the ID `Default` out of every name and logical ID.
  const service = new NotificationService(app, 'Default', app.node.getAllContext(), options);
  if (options.isReviewed ?? true) Validations.of(app).addPlugins(securityReview());
  return { app, ...service._stacks };
}

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
function securityReview(): IPolicyValidationPlugin {
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
