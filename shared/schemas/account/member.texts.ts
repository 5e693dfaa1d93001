import { describeFields } from '../fields/field-texts.ts';
import { MemberResponse } from './member.ts';

describeFields(MemberResponse, {
  userId: 'The ID of the member.',
  email: "The member's email address.",
  role: 'admin or member.',
  status: 'invited until the invitation is accepted, then active.',
  pendingEmail: 'The address that is not confirmed yet.',
});
