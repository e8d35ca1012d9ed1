/**
 * The household's rules: ALFWorld's predicates and actions, plus appliances that
 * may be `broken` (another one stands in) and receptacles that may be `locked`.
 */
export const householdDomain = `
(define (domain household)
 (:requirements :adl :typing)
 (:types agent location receptacle object rtype otype)
 (:predicates
  (atLocation ?a - agent ?l - location)
  (receptacleAtLocation ?r - receptacle ?l - location)
  (objectAtLocation ?o - object ?l - location)
  (inReceptacle ?o - object ?r - receptacle)
  (receptacleType ?r - receptacle ?t - rtype)
  (objectType ?o - object ?t - otype)
  (canContain ?rt - rtype ?ot - otype)
  (openable ?r - receptacle)
  (opened ?r - receptacle)
  (locked ?r - receptacle)
  (broken ?r - receptacle)
  (pickupable ?o - object)
  (cleanable ?o - object)
  (heatable ?o - object)
  (coolable ?o - object)
  (sliceable ?o - object)
  (toggleable ?o - object)
  (isReceptacleObject ?o - object)
  (holds ?a - agent ?o - object)
  (holdsAny ?a - agent)
  (isClean ?o - object)
  (isHot ?o - object)
  (isCool ?o - object)
  (isSliced ?o - object)
  (isOn ?o - object)
  (isToggled ?o - object)
  (checked ?x)
 )

 (:action look
  :parameters (?a - agent ?l - location)
  :precondition (atLocation ?a ?l)
  :effect (checked ?l))

 (:action inventory
  :parameters (?a - agent)
  :precondition ()
  :effect (checked ?a))

 (:action help
  :parameters (?a - agent)
  :precondition ()
  :effect (checked ?a))

 (:action examineReceptacle
  :parameters (?a - agent ?l - location ?r - receptacle)
  :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
  :effect (checked ?r))

 (:action examineObject
  :parameters (?a - agent ?o - object)
  :precondition (holds ?a ?o)
  :effect (checked ?o))

 (:action GotoLocation
  :parameters (?a - agent ?lStart - location ?lEnd - location ?r - receptacle)
  :precondition (and (atLocation ?a ?lStart) (receptacleAtLocation ?r ?lEnd))
  :effect (and (not (atLocation ?a ?lStart)) (atLocation ?a ?lEnd)))

 (:action OpenObject
  :parameters (?a - agent ?l - location ?r - receptacle)
  :precondition (and (openable ?r) (not (locked ?r)) (not (opened ?r))
                     (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
  :effect (and (opened ?r) (checked ?r)))

 (:action OpenLockedObject
  :parameters (?a - agent ?l - location ?r - receptacle)
  :precondition (and (openable ?r) (locked ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
  :effect (checked ?r))

 (:action CloseObject
  :parameters (?a - agent ?l - location ?r - receptacle)
  :precondition (and (openable ?r) (opened ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
  :effect (not (opened ?r)))

 (:action PickupObject
  :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
  :precondition (and (pickupable ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r)
                     (not (holdsAny ?a)) (or (not (openable ?r)) (opened ?r)))
  :effect (and (not (inReceptacle ?o ?r)) (not (objectAtLocation ?o ?l)) (holds ?a ?o) (holdsAny ?a)))

 (:action PutObject
  :parameters (?a - agent ?l - location ?o - object ?r - receptacle ?ot - otype ?rt - rtype)
  :precondition (and (holds ?a ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
                     (or (not (openable ?r)) (opened ?r))
                     (objectType ?o ?ot) (receptacleType ?r ?rt) (canContain ?rt ?ot))
  :effect (and (inReceptacle ?o ?r) (objectAtLocation ?o ?l) (not (holds ?a ?o)) (not (holdsAny ?a))))

 (:action CleanObject
  :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
  :precondition (and (cleanable ?o) (receptacleType ?r SinkBasinType) (not (broken ?r))
                     (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o))
  :effect (isClean ?o))

 (:action CleanObjectBroken
  :parameters (?a - agent ?l - location ?r - receptacle ?o - object ?s - receptacle)
  :precondition (and (cleanable ?o) (receptacleType ?r SinkBasinType) (broken ?r)
                     (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o)
                     (receptacleType ?s BathtubBasinType))
  :effect (checked ?r))

 (:action CleanObjectInstead
  :parameters (?a - agent ?l - location ?r - receptacle ?o - object ?s - receptacle)
  :precondition (and (cleanable ?o) (receptacleType ?r BathtubBasinType)
                     (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o)
                     (receptacleType ?s SinkBasinType) (broken ?s))
  :effect (isClean ?o))

 (:action HeatObject
  :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
  :precondition (and (heatable ?o) (receptacleType ?r MicrowaveType) (not (broken ?r))
                     (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o))
  :effect (and (isHot ?o) (not (isCool ?o))))

 (:action HeatObjectBroken
  :parameters (?a - agent ?l - location ?r - receptacle ?o - object ?s - receptacle)
  :precondition (and (heatable ?o) (receptacleType ?r MicrowaveType) (broken ?r)
                     (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o)
                     (receptacleType ?s StoveBurnerType))
  :effect (checked ?r))

 (:action HeatObjectInstead
  :parameters (?a - agent ?l - location ?r - receptacle ?o - object ?s - receptacle)
  :precondition (and (heatable ?o) (receptacleType ?r StoveBurnerType)
                     (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o)
                     (receptacleType ?s MicrowaveType) (broken ?s))
  :effect (and (isHot ?o) (not (isCool ?o))))

 (:action CoolObject
  :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
  :precondition (and (coolable ?o) (receptacleType ?r FridgeType)
                     (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o))
  :effect (and (isCool ?o) (not (isHot ?o))))

 (:action ToggleObject
  :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
  :precondition (and (toggleable ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r))
  :effect (and (when (isOn ?o) (not (isOn ?o))) (when (not (isOn ?o)) (isOn ?o)) (isToggled ?o)))

 (:action SliceObject
  :parameters (?a - agent ?l - location ?co - object ?ko - object)
  :precondition (and (sliceable ?co) (or (objectType ?ko KnifeType) (objectType ?ko ButterKnifeType))
                     (atLocation ?a ?l) (objectAtLocation ?co ?l) (holds ?a ?ko))
  :effect (isSliced ?co))
)
`;

/** Types that the rules name; a problem must declare them. */
export const domainTypes = {
  rtype: ["microwavetype", "fridgetype", "sinkbasintype", "stoveburnertype", "bathtubbasintype"],
  otype: ["knifetype", "butterknifetype"],
} as const;
