/** Why a step cannot be taken, for the reviewer who asked for it. Whatever it had changed is taken back. */
export class ReviewRefusal extends Error {
  override readonly name = "ReviewRefusal";
}
