// SYNTAX TEST "source.java" "Selectors in strings of Java."
class A {
  // language=pact
  String a = ".block";
//            ^^^^^^ entity.name.type.pactsel
  String b = ".block";
//            ^^^^^^ - entity.name.type.pactsel
}
