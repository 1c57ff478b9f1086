"""Does a sample tell who is in it, to somebody who knows everybody it was drawn from?"""

import biombo as bb

school = bb.samples.school()  # ten pupils, of whom four were asked
found = bb.membership(school.sample, school.population, ["state", "sex", "age"])

print(f"{found.sampled} of {found.people} people were asked: by chance one is right about {found.prior:.0%} of them.")
for row in found.best().iter_rows(named=True):
    print(f"  Who knows {' + '.join(row['quasi'])}: {row['posterior']:.0%}; certain about {row['certain']}")

someone = {"state": "SP", "sex": "F", "age": "31-40"}
one = bb.membership_target(school.sample, school.population, someone)
print(f"One person, {someone}: was asked with probability {one.probability:.0%}")
