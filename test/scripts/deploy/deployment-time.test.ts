import { describe, expect, it } from 'vitest';
import { creationSeconds, type Template } from '../../../scripts/deploy/deployment-time.ts';
import { sandboxTemplates } from '../../infra/aws/synthesized.ts';

const none = () => undefined;

describe('the time of a first deployment', () => {
  it('is that of the longest chain of resources that wait for each other', () => {
    const Role = { Type: 'AWS::IAM::Role' };
    const Invoked = {
      Type: 'AWS::Lambda::Function',
      Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] } },
    };
    const Other = { Type: 'AWS::SNS::Topic', DependsOn: ['Invoked'] };
    expect(creationSeconds({ Resources: { Role, Alone: Role } }, none)).toBe(18);
    expect(creationSeconds({ Resources: { Other, Invoked, Role } }, none)).toBe(18 + 12 + 12);
  });

  it('includes nested stacks, which wait in their lanes', () => {
    const inner: Template = { Resources: { Role: { Type: 'AWS::IAM::Role' } } };
    const Type = 'AWS::CloudFormation::Stack';
    expect(creationSeconds({ Resources: { A: { Type }, B: { Type } } }, () => inner)).toBe(33);
    expect(creationSeconds({ Resources: { A: { Type }, B: { Type, DependsOn: 'A' } } }, () => inner)).toBe(
      66,
    );
  });

  it('is minutes, not hours, for the workers of a deployment', async () => {
    const { texts } = await sandboxTemplates();
    const seconds = creationSeconds(JSON.parse(texts.get('Delivery') ?? '{}'), none);
    expect(seconds).toBeGreaterThan(120);
    expect(seconds).toBeLessThan(1200);
  });
});
