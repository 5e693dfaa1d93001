import { describeFields } from '../fields/field-texts.ts';
import { MemberAnswer } from './member.ts';

describeFields(MemberAnswer, {
  userId: 'The ID of the member.',
  email: "The member's email address.",
  role: 'admin or member.',
  status: 'invited until the invitation is accepted, then active.',
  pendingEmail: 'The address that is not confirmed yet.',
});
