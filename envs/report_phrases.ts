/** Fixed phrases of guidance, of asking for a report, and of a report's JSON, one token each; the same in every environment. */
export const reportPhrases: readonly string[] = [
  "\nGuidance: ",
  "\nReflect:",
  "\nstep",
  '{"trajectory_summary":"',
  '","root_cause_analysis":"',
  '","trajectory_outcome":"failure","improvement_suggestion":"',
  '","retry_from_step"',
  '","root_cause_analysis":null,"trajectory_outcome":"success","improvement_suggestion":null,"retry_from_step":null}',
];
